//! Routes are chosen by language and by what is there; bad files are refused.

use super::*;

fn voice(encoder: &str) -> Voice {
    Voice { encoder: encoder.to_owned(), mean: 0.1, deviation: 0.2, weight: 1.0, bridge: None }
}

fn route(languages: Languages, voices: Vec<Voice>) -> Route {
    Route { languages, voices, ..Route::words_alone() }
}

fn calibration() -> Calibration {
    let bridged = Voice { bridge: Some("world".to_owned()), ..voice("english") };
    let routes = vec![
        route(Languages::English, vec![voice("english"), voice("second")]),
        route(Languages::English, vec![voice("english")]),
        route(Languages::Other, vec![voice("world"), bridged]),
        route(Languages::Any, vec![voice("world")]),
    ];
    Calibration::new(vec!["hello \"there\"".to_owned()], routes, Route::words_alone())
}

fn names(route: &Route) -> Vec<&str> {
    route.voices.iter().map(|voice| voice.encoder.as_str()).collect()
}

#[test]
fn the_first_route_that_fits_is_taken() {
    let calibration = calibration();
    assert_eq!(names(calibration.route(true, &["english", "second"])), ["english", "second"]);
    assert_eq!(names(calibration.route(true, &["english"])), ["english"]);
    assert_eq!(names(calibration.route(false, &["english", "world"])), ["world", "english"]);
    assert_eq!(names(calibration.route(false, &["world"])), ["world"]);
    assert_eq!(names(calibration.route(true, &["world"])), ["world"]);
    assert_eq!(calibration.route(false, &["english"]), &Route::words_alone());
}

#[test]
fn a_bridge_needs_both_of_its_ends() {
    let bridged = Voice { bridge: Some("world".to_owned()), ..voice("english") };
    let routes = vec![route(Languages::Any, vec![bridged])];
    let calibration = Calibration::new(Vec::new(), routes, Route::words_alone());
    assert!(calibration.route(false, &["english"]).voices.is_empty());
    assert_eq!(names(calibration.route(false, &["english", "world"])), ["english"]);
}

#[test]
fn what_is_written_can_be_read() {
    let calibration = calibration();
    assert_eq!(Calibration::from_json(&calibration.to_json()).unwrap(), calibration);
    assert!(calibration.knows("world") && !calibration.knows("other"));
    assert_eq!(calibration.null_sentences(), ["hello \"there\""]);
}

#[test]
fn bad_files_are_refused() {
    let json = calibration().to_json();
    let error = |json: &str| Calibration::from_json(json).unwrap_err().to_string();
    assert_eq!(error("{"), "the calibration cannot be read");
    assert_eq!(
        error(&json.replace("\"version\": 1", "\"version\": 2")),
        "the calibration has version 2 instead of 1"
    );
    let zero = json.replacen("\"deviation\":0.2", "\"deviation\":0.0", 1);
    assert!(error(&zero).starts_with("the calibration of `english + second`"), "{}", error(&zero));
    assert_eq!(error(&json.replacen("\"mean\"", "\"men\"", 1)), "the calibration cannot be read");
}

#[test]
fn an_unknown_encoder_is_measured() {
    let voice = Voice::measured("mine", &[0.1, 0.3, 0.5, 0.7]);
    assert!((voice.mean - 0.4).abs() < 1e-6 && (voice.deviation - 0.05_f32.sqrt()).abs() < 1e-6);
    assert!(Voice::measured("mine", &[]).deviation > 0.0);
    assert_eq!(names(&calibration().route_with(voice)), ["mine"]);
}
