// What a state provides is there always, as fields are.
use haft::State;

#[derive(State)]
enum App {
    Started,
}

fn main() {
    let _ = App::Started;
}
