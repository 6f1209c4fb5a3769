//! How much room things take. The published simulator measures models that are not public; these are our own estimates of
//! the box around an ordinary thing of each category.

/// Categories by the box around them, in litres.
const LITRES: &[(&[&str], f64)] = &[
    (&["olive", "raspberry", "pea"], 0.01),
    (
        &["chestnut", "highlighter", "ice_cube", "pen", "tea_bag"],
        0.03,
    ),
    (&["bracelet", "strawberry", "toothbrush"], 0.05),
    (
        &[
            "candy_cane",
            "cookie",
            "egg",
            "lollipop",
            "mushroom",
            "spoon",
            "tablefork",
            "table_knife",
        ],
        0.1,
    ),
    (
        &[
            "necklace",
            "pretzel",
            "screwdriver",
            "soap",
            "toasting_fork",
            "toothpaste",
        ],
        0.2,
    ),
    (&["carving_knife", "document", "lemon", "radish"], 0.3),
    (&["cupcake", "grape", "muffin"], 0.4),
    (
        &[
            "bagel",
            "bow",
            "cheese",
            "container_date",
            "cup",
            "peach",
            "pop",
            "scraper",
            "scrub_brush",
            "tomato",
        ],
        0.5,
    ),
    (&["apple", "banana", "pear", "vidalia_onion"], 0.6),
    (&["notebook", "parsley", "shampoo"], 0.8),
    (
        &[
            "beef",
            "chip",
            "cruet",
            "folder",
            "hamburger",
            "hardback",
            "mayonnaise",
            "newspaper",
            "pasta",
            "plate",
            "pork",
            "rag",
            "spaghetti_sauce",
        ],
        1.0,
    ),
    (&["beer", "broccoli", "juice", "water"], 1.3),
    (&["dishtowel", "soup"], 1.5),
    (&["bowl", "fish", "hand_towel", "salad", "sandal"], 2.0),
    (
        &[
            "cantaloup",
            "detergent",
            "jar",
            "lettuce",
            "pomelo",
            "teapot",
        ],
        3.0,
    ),
    (
        &[
            "bath_towel",
            "cereal",
            "chicken",
            "gym_shoe",
            "paper_towel",
            "walker",
        ],
        4.0,
    ),
    (&["frying_pan"], 5.0),
    (&["ball", "hat", "kettle", "saucepan", "stocking"], 6.0),
    (&["casserole", "dustpan", "tray"], 8.0),
    (&["umbrella"], 10.0),
    (&["bucket", "paper_bag"], 20.0),
    (&["basket", "broom"], 30.0),
    (&["burner", "carton", "pot_plant", "trash_can"], 50.0),
    (&["microwave"], 70.0),
    (&["sink"], 120.0),
    (&["top_cabinet", "window"], 200.0),
    (&["door", "straight_chair"], 250.0),
    (&["dishwasher", "toilet"], 300.0),
    (
        &[
            "bottom_cabinet",
            "bottom_cabinet_no_top",
            "coffee_table",
            "oven",
        ],
        350.0,
    ),
    (&["dryer", "stove", "swivel_chair", "washer"], 400.0),
    (&["grill", "shelf"], 600.0),
    (&["bathtub", "breakfast_table"], 900.0),
    (&["fridge"], 1_000.0),
    (&["countertop", "shower", "sofa"], 1_800.0),
    (&["bed"], 2_500.0),
    (&["pool"], 5_000.0),
    (&["car"], 12_000.0),
    (&["floors"], 400_000.0),
];

/// Where nothing is known: a thing one can grasp.
pub const DEFAULT: f64 = 0.001;

/// The estimate for a category, in cubic metres.
pub fn of(category: &str) -> Option<f64> {
    let row = LITRES.iter().find(|(names, _)| names.contains(&category));
    row.map(|(_, litres)| litres / 1000.0)
}
