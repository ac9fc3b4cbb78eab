//! Screenshots, whole, scaled and in part.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use haft::anthropic::tools::{COMPUTER_20251124, Computer, ComputerToolset, ComputerUse, Point};
use haft::serde_json::json;
use haft::{Content, Image, Source, Toolkit};

use crate::input;
use crate::server::{Client, Server, Told};

/// A picture, as the model is given it.
struct Picture {
    size: [usize; 2],
    pixels: Vec<[u8; 3]>,
}

impl Picture {
    fn read(image: &Image) -> Self {
        let Source::Base64 { media_type, data } = &image.source else {
            panic!("it stands in the message");
        };
        assert_eq!(media_type, "image/png");
        let bytes = STANDARD.decode(data).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
            .read_info()
            .unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut pixels).unwrap();
        assert_eq!(
            (frame.color_type, frame.bit_depth),
            (png::ColorType::Rgb, png::BitDepth::Eight)
        );
        Self {
            size: [frame.width, frame.height].map(|edge| edge as usize),
            pixels: pixels.as_chunks().0.to_vec(),
        }
    }

    fn at(&self, x: usize, y: usize) -> [u8; 3] {
        self.pixels[y * self.size[0] + x]
    }
}

const GREY: [u8; 3] = [0x40, 0x40, 0x40];
const RED: [u8; 3] = [0xff, 0, 0];
const BLUE: [u8; 3] = [0x12, 0x34, 0xff];

/// Grey, with a red rectangle, and a blue one in it.
fn draw(client: &Client, size: [u16; 2]) {
    client.fill(0x40_4040, 0, 0, size[0], size[1]);
    client.fill(0xff_0000, 10, 20, 100, 50);
    client.fill(0x12_34ff, 12, 24, 2, 4);
}

fn drawn(x: usize, y: usize) -> [u8; 3] {
    match (x, y) {
        (12..14, 24..28) => BLUE,
        (10..110, 20..70) => RED,
        _ => GREY,
    }
}

#[tokio::test]
async fn a_screenshot_is_what_is_on_the_screen() {
    let server = Server::start("300x200x24");
    let client = Client::start(&server);
    draw(&client, [300, 200]);
    let computer = server.computer().with_pointer(false);
    assert_eq!(computer.screenshot_size(), (300, 200));
    let picture = Picture::read(&computer.screenshot(input(json!({}))).await.unwrap());
    assert_eq!(picture.size, [300, 200]);
    for y in 0..200 {
        for x in 0..300 {
            assert_eq!(picture.at(x, y), drawn(x, y), "{x}, {y}");
        }
    }
}

#[tokio::test]
async fn the_pointer_is_in_it() {
    let server = Server::start("300x200x24");
    let client = Client::start(&server);
    draw(&client, [300, 200]);
    let computer = server.computer();
    computer
        .mouse_move(input(json!({"coordinate": [200, 150]})))
        .await
        .unwrap();
    let picture = Picture::read(&computer.screenshot(input(json!({}))).await.unwrap());
    let mut changed = 0;
    for y in 0..200 {
        for x in 0..300 {
            if picture.at(x, y) != drawn(x, y) {
                changed += 1;
                assert!(x.abs_diff(200) < 32 && y.abs_diff(150) < 32, "{x}, {y}");
            }
        }
    }
    assert!(changed > 10, "{changed}");
}

#[tokio::test]
async fn a_large_screen_is_scaled_and_coordinates_are_scaled_back() {
    let server = Server::start("640x480x24");
    let client = Client::start(&server);
    draw(&client, [640, 480]);
    let computer = server.computer().with_pointer(false).with_limit(320, 1000);
    assert_eq!(computer.screenshot_size(), (320, 240));
    let picture = Picture::read(&computer.screenshot(input(json!({}))).await.unwrap());
    assert_eq!(picture.size, [320, 240]);
    for y in 0..240 {
        for x in 0..320 {
            assert_eq!(picture.at(x, y), drawn(2 * x, 2 * y), "{x}, {y}");
        }
    }

    computer
        .left_click(input(json!({"coordinate": [100, 50]})))
        .await
        .unwrap();
    assert_eq!(client.next_press(), Told::Button(1, 0, [201, 101]));
    let place = computer.cursor_position(input(json!({}))).await.unwrap();
    assert_eq!(place, Point { x: 100, y: 50 });
    let error = computer
        .left_click(input(json!({"coordinate": [320, 0]})))
        .await;
    assert_eq!(
        error.unwrap_err().message(),
        "the coordinate [320, 0] is outside of the screenshot: x goes from 0 to 319, y from 0 to 239"
    );
}

#[tokio::test]
async fn a_zoom_has_the_resolution_of_the_screen() {
    let server = Server::start("640x480x24");
    let client = Client::start(&server);
    draw(&client, [640, 480]);
    let computer = server.computer().with_pointer(false).with_limit(320, 240);
    let picture = computer
        .zoom(input(json!({"region": [5, 10, 55, 40]})))
        .await;
    let picture = Picture::read(&picture.unwrap());
    assert_eq!(picture.size, [100, 60]);
    for y in 0..60 {
        for x in 0..100 {
            assert_eq!(picture.at(x, y), drawn(x + 10, y + 20), "{x}, {y}");
        }
    }
    let error = computer
        .zoom(input(json!({"region": [0, 0, 321, 9]})))
        .await;
    assert_eq!(
        error.unwrap_err().message(),
        "the region [0, 0, 321, 9] must be two corners of a part of the screenshot, \
         with x from 0 to 320 and y from 0 to 240"
    );
}

#[tokio::test]
async fn a_screen_may_have_less_colours() {
    let server = Server::start("300x200x16");
    let client = Client::start(&server);
    client.fill(0xf800, 0, 0, 300, 200);
    client.fill(0x07ff, 7, 8, 1, 1);
    let computer = server.computer().with_pointer(false);
    let picture = Picture::read(&computer.screenshot(input(json!({}))).await.unwrap());
    assert_eq!(picture.at(6, 8), RED);
    assert_eq!(picture.at(7, 8), [0, 255, 255]);
}

#[tokio::test]
async fn it_is_both_tools() {
    let server = Server::start("300x200x24");
    let client = Client::start(&server);
    draw(&client, [300, 200]);
    let toolset = ComputerToolset::new(server.computer());
    let configs = toolset.definition().options().get("configs");
    assert_eq!(configs, None, "all members are offered, as the API assumes");

    let tool = COMPUTER_20251124.display(300, 200).with_zoom();
    let tool = ComputerUse::new(tool, server.computer().with_pointer(false));
    let kit: Toolkit = Toolkit::new().with(tool).unwrap();
    let result = kit
        .call(
            "computer",
            json!({"action": "left_click", "coordinate": [3, 4], "text": "shift"}),
        )
        .await;
    assert_eq!(result.text(), "Clicked.");
    assert!(client.told().contains(&Told::Button(1, 1, [3, 4])));
    let result = kit
        .call("computer", json!({"action": "cursor_position"}))
        .await;
    assert_eq!(result.text(), "X=3,Y=4");
    let result = kit.call("computer", json!({"action": "screenshot"})).await;
    let [Content::Image(image)] = result.content() else {
        panic!("a screenshot: {result:?}");
    };
    assert_eq!(Picture::read(image).at(13, 25), BLUE);
}
