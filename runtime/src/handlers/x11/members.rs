//! The members of the computer toolset, at a display.

use std::time::Duration;

use super::display::{Action, Input, LEFT};
use super::frame::{Frame, fit};
use super::{X11Computer, keyboard, keys};
use crate::message::Image;
use crate::provider::anthropic::tools::{
    Click, Computer, Drag, HeldKey, KeyPress, MouseMove, NoInput, Pause, Point, Region, Scroll,
    ScrollDirection, TypedText,
};
use crate::tool::ToolError;

const MIDDLE: u8 = 2;
const RIGHT: u8 = 3;

/// Between the moves of a drag, and the clicks of a double click: programs look at where the mouse has been.
const PACE: Duration = Duration::from_millis(10);
/// How many moves a drag has. Programs begin to drag when the mouse has moved with its button down.
const DRAG_MOVES: u32 = 5;
/// The most that a call may ask for, in seconds.
const LONGEST: u32 = 300;
const MOST_CLICKS: i64 = 100;
const MOST_REPEATS: u32 = 100;

impl X11Computer {
    async fn click(&self, click: Click, button: u8, times: u32) -> Result<(), ToolError> {
        self.press_button(button, times, click.coordinate, click.text)
            .await
    }

    async fn press_button(
        &self,
        button: u8,
        times: u32,
        coordinate: Option<[i64; 2]>,
        modifiers: Option<String>,
    ) -> Result<(), ToolError> {
        let modifiers = keys::combination(modifiers.as_deref().unwrap_or_default())?;
        self.act(move |action| {
            if let Some(coordinate) = coordinate {
                action.move_to(action.place(coordinate)?)?;
            }
            let modifiers = keyboard::hold(action, &modifiers)?;
            for turn in 0..times {
                if turn > 0 {
                    action.pause(PACE)?;
                }
                press(action, button)?;
            }
            modifiers.release()
        })
        .await
    }
}

/// Presses and releases a button.
fn press(action: &mut Action<'_>, button: u8) -> Result<(), ToolError> {
    let mut held = action.hold();
    held.press(Input::Button(button))?;
    held.release()?;
    if button == LEFT {
        action.hands.holds_left = false;
    }
    Ok(())
}

/// # Errors
/// Where it is more than the most.
fn seconds(duration: u32) -> Result<Duration, ToolError> {
    if duration > LONGEST {
        return Err(ToolError::new(format!(
            "`duration` must be at most {LONGEST} seconds"
        )));
    }
    Ok(Duration::from_secs(duration.into()))
}

impl Computer for X11Computer {
    async fn key(&self, key: KeyPress) -> Result<(), ToolError> {
        let combinations = keys::combinations(&key.text)?;
        let times = key.repeat.unwrap_or(1);
        if !(1..=MOST_REPEATS).contains(&times) {
            return Err(ToolError::new(format!(
                "`repeat` must be from 1 to {MOST_REPEATS}"
            )));
        }
        self.act(move |action| (0..times).try_for_each(|_| keyboard::press(action, &combinations)))
            .await
    }

    async fn hold_key(&self, key: HeldKey) -> Result<(), ToolError> {
        let combinations = keys::combinations(&key.text)?;
        let pause = seconds(key.duration)?;
        self.act(move |action| {
            let all = combinations.concat();
            let held = keyboard::hold(action, &all)?;
            action.pause(pause)?;
            held.release()
        })
        .await
    }

    async fn type_text(&self, text: TypedText) -> Result<(), ToolError> {
        let symbols = keys::text(&text.text)?;
        self.act(move |action| keyboard::type_all(action, &symbols))
            .await
    }

    async fn cursor_position(&self, _: NoInput) -> Result<Point, ToolError> {
        self.act(|action| {
            let (place, _) = action.display.pointer()?;
            let [x, y] = action.display.frame().to_shown(place).map(i64::from);
            Ok(Point { x, y })
        })
        .await
    }

    async fn mouse_move(&self, to: MouseMove) -> Result<(), ToolError> {
        self.act(move |action| action.move_to(action.place(to.coordinate)?))
            .await
    }

    async fn left_mouse_down(&self, _: NoInput) -> Result<(), ToolError> {
        self.act(|action| {
            let mut held = action.hold();
            held.press(Input::Button(LEFT))?;
            held.keep();
            action.hands.holds_left = true;
            Ok(())
        })
        .await
    }

    async fn left_mouse_up(&self, _: NoInput) -> Result<(), ToolError> {
        self.act(|action| {
            action.hands.holds_left = false;
            action.hold().of(Input::Button(LEFT)).release()
        })
        .await
    }

    async fn left_click(&self, click: Click) -> Result<(), ToolError> {
        self.click(click, LEFT, 1).await
    }

    async fn left_click_drag(&self, drag: Drag) -> Result<(), ToolError> {
        let modifiers = keys::combination(drag.text.as_deref().unwrap_or_default())?;
        self.act(move |action| {
            let from = action.place(drag.start_coordinate)?;
            let to = action.place(drag.coordinate)?;
            action.move_to(from)?;
            let mut held = keyboard::hold(action, &modifiers)?;
            held.press(Input::Button(LEFT))?;
            for step in 1..=DRAG_MOVES {
                action.pause(PACE)?;
                let part =
                    |from: u32, to: u32| (from * (DRAG_MOVES - step) + to * step) / DRAG_MOVES;
                action.move_to([part(from[0], to[0]), part(from[1], to[1])])?;
            }
            action.pause(PACE)?;
            action.hands.holds_left = false;
            held.release()
        })
        .await
    }

    async fn right_click(&self, click: Click) -> Result<(), ToolError> {
        self.click(click, RIGHT, 1).await
    }

    async fn middle_click(&self, click: Click) -> Result<(), ToolError> {
        self.click(click, MIDDLE, 1).await
    }

    async fn double_click(&self, click: Click) -> Result<(), ToolError> {
        self.click(click, LEFT, 2).await
    }

    async fn triple_click(&self, click: Click) -> Result<(), ToolError> {
        self.click(click, LEFT, 3).await
    }

    async fn scroll(&self, scroll: Scroll) -> Result<(), ToolError> {
        let amount = Some(scroll.scroll_amount).filter(|amount| *amount <= MOST_CLICKS);
        let Some(times) = amount.and_then(|amount| u32::try_from(amount).ok()) else {
            return Err(ToolError::new(format!(
                "`scroll_amount` must be from 0 to {MOST_CLICKS}"
            )));
        };
        // What a wheel is to X.
        let button = match scroll.scroll_direction {
            ScrollDirection::Up => 4,
            ScrollDirection::Down => 5,
            ScrollDirection::Left => 6,
            ScrollDirection::Right => 7,
        };
        self.press_button(button, times, scroll.coordinate, scroll.text)
            .await
    }

    async fn wait(&self, pause: Pause) -> Result<(), ToolError> {
        tokio::time::sleep(seconds(pause.duration)?).await;
        Ok(())
    }

    async fn screenshot(&self, _: NoInput) -> Result<Image, ToolError> {
        let (limit, shows_pointer) = (self.limit, self.shows_pointer);
        self.act(move |action| {
            let size = action.display.size()?;
            let frame = Frame::new(size, limit);
            let picture = action.display.picture([0, 0], size, shows_pointer)?;
            let image = picture.scaled(frame.shown()).into_image();
            let image = image.map_err(ToolError::from_error)?;
            action.display.set_frame(frame);
            Ok(image)
        })
        .await
    }

    async fn zoom(&self, region: Region) -> Result<Image, ToolError> {
        let (limit, shows_pointer) = (self.limit, self.shows_pointer);
        self.act(move |action| {
            let (corner, size) = action.display.frame().part(region.region)?;
            let picture = action.display.picture(corner, size, shows_pointer)?;
            let image = picture.scaled(fit(size, limit)).into_image();
            image.map_err(ToolError::from_error)
        })
        .await
    }
}
