use std::sync::Arc;

use prowess_testkit::reached;

use super::*;
use crate::test_support::Home;

const URL: &str = "http://127.0.0.1:1/";
const MINUTE: Duration = Duration::from_mins(1);

fn code_of(page: &std::path::Path) -> String {
    let text = std::fs::read_to_string(page).unwrap();
    text.split("#code=").nth(1).unwrap().split('"').next().unwrap().to_owned()
}

#[test]
fn a_code_is_used_once_and_takes_its_page_along() {
    let home = Home::new();
    let gateway = home.gateway();
    let page = gateway.studio_page(URL).unwrap();
    let code = code_of(&page);
    assert!(!gateway.take_code("wrong") && page.exists());
    assert!(gateway.take_code(&code) && !page.exists());
    assert!(!gateway.take_code(&code), "a second time");
}

#[test]
fn a_code_dies_after_a_minute() {
    let home = Home::new();
    let gateway = home.gateway();
    let (code, _) = gateway.new_code(URL, false).unwrap();
    home.pass(Duration::from_millis(59_999));
    let (other, _) = gateway.new_code(URL, false).unwrap();
    home.pass(Duration::from_millis(1));
    assert!(!gateway.take_code(code.code.expose()));
    assert!(gateway.take_code(other.code.expose()));
}

#[test]
fn a_code_of_one_gateway_is_nothing_to_another() {
    let (here, there) = (Home::new(), Home::new());
    let (code, _) = here.gateway().new_code(URL, false).unwrap();
    assert!(!there.gateway().take_code(code.code.expose()));
    assert!(!here.gateway().take_code(code.code.expose()), "nor to the next process");
}

#[test]
fn the_oldest_code_makes_room() {
    let home = Home::new();
    let gateway = home.gateway();
    let pages: Vec<_> = (0..=MAX_CODES).map(|_| gateway.studio_page(URL).unwrap()).collect();
    assert!(!pages[0].exists() && pages[1].exists());
    gateway.drop_codes();
    assert!(pages.iter().all(|page| !page.exists()));
}

#[tokio::test]
async fn an_expired_page_is_removed() {
    let home = Home::new();
    let gateway = home.gateway();
    let page = gateway.studio_page(URL).unwrap();
    home.pass(MINUTE);
    let watching = Arc::clone(&gateway);
    let task = tokio::spawn(async move { watching.expire_codes().await });
    reached("the end of the page", || !page.exists()).await;
    task.abort();
}

#[test]
fn pages_of_an_earlier_process_are_removed_at_the_start() {
    let home = Home::new();
    let folder = home.engine().gateway_folder();
    std::fs::create_dir_all(folder.join("proofs")).unwrap();
    let left = ["open.html", "open-01.html", "proofs/00"].map(|name| folder.join(name));
    for file in &left {
        std::fs::write(file, "#token=secret").unwrap();
    }
    drop(home.gateway());
    assert!(left.iter().all(|file| !file.exists()));
}
