//! From a request to its answer.

use super::folder::Folder;
use super::guard::{Guard, check_json};
use super::http::{self, Refusal, Request};
use super::pool::Pool;
use super::strength;
use super::think::{self, Question};
use crate::frontend::page;
use crate::frontend::review::{ReviewError, ReviewSettings, judge};
use crate::search::Interrupt;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::Sender;

/// Reviews that run at the same time. A browser holds six connections to a server: the other tabs need some.
const MAX_REVIEWS: usize = 3;
/// Seconds of one thread for a position of a review: somebody waits for it.
const REVIEW_TIME: f64 = 0.3;

/// What all connections share.
pub struct Server {
    /// Who may ask.
    pub guard: Guard,
    /// The engines.
    pub pool: Pool,
    /// Reviews that run.
    pub reviews: AtomicUsize,
    /// The folder of games, if one was given.
    pub folder: Option<Folder>,
}

/// A file of the folder.
#[derive(Deserialize)]
struct FileQuestion {
    name: String,
    #[serde(default)]
    sgf: String,
    #[serde(default)]
    replace: bool,
}

impl Server {
    /// Answers one connection.
    pub fn serve(&self, stream: &mut TcpStream) {
        let request = match Request::read(stream) {
            Ok(Some(request)) => request,
            Ok(None) => return,
            Err(refusal) => return http::refuse(stream, &refusal),
        };
        if let Err(refusal) = self.answer(stream, &request) {
            log::debug!("{} refused: {}", request.method, refusal.sentence);
            http::refuse(stream, &refusal);
        }
    }

    fn answer(&self, stream: &mut TcpStream, request: &Request) -> Result<(), Refusal> {
        let path = self.guard.admit(request)?;
        match (request.method.as_str(), path) {
            ("GET", "api/about") => http::answer_json(stream, &self.about()),
            ("GET", "api/files") => http::answer_json(stream, &json!(self.files()?.list()?)),
            ("GET", name) if !name.starts_with("api/") => {
                let found = page::FILES.iter().find(|file| file.name == name);
                let file = found.ok_or_else(|| Refusal::new(404, "there is no such page"))?;
                http::answer(stream, 200, file.media_type, file.text);
            }
            ("POST", name) if name.starts_with("api/") => {
                check_json(request)?;
                self.act(stream, name, &request.body)?;
            }
            ("GET", _) => return Err(Refusal::new(404, "there is no such page")),
            _ => return Err(Refusal::new(405, "this method is not answered here")),
        }
        Ok(())
    }

    /// What the page needs to know before it starts.
    fn about(&self) -> Value {
        json!({
            "version": crate::version::BUILD,
            "strengths": strength::strengths(),
            "folder": self.folder.is_some(),
            "running": self.pool.running(),
        })
    }

    fn files(&self) -> Result<&Folder, Refusal> {
        let sentence = "start `tengen web --folder FOLDER` to keep games on the server";
        self.folder.as_ref().ok_or_else(|| Refusal::new(404, sentence))
    }

    fn act(&self, stream: &mut TcpStream, name: &str, body: &[u8]) -> Result<(), Refusal> {
        let pool = &self.pool;
        match name {
            "api/load" => {
                let file: FileQuestion = read(body)?;
                // As it is: the page knows the encodings that a record can name.
                let bytes = self.files()?.load(&file.name)?;
                http::answer(stream, 200, "application/x-go-sgf", bytes);
            }
            "api/save" => {
                let file: FileQuestion = read(body)?;
                self.files()?.save(&file.name, &file.sgf, file.replace)?;
                http::answer_json(stream, &json!({ "saved": file.name }));
            }
            "api/move" | "api/search" | "api/hint" | "api/score" | "api/review" => {
                let question: Question = read(body)?;
                question.game.game()?; // refused before the answer begins
                think::stream(stream, |interrupt, sender| match name {
                    "api/move" => think::choose_move(pool, &question, interrupt, &sender),
                    "api/score" => think::score(pool, &question, interrupt),
                    "api/review" => self.review(&question, interrupt, &sender),
                    _ => think::search(pool, &question, name == "api/hint", interrupt, &sender),
                });
            }
            _ => return Err(Refusal::new(404, "there is no such page")),
        }
        Ok(())
    }

    fn review(
        &self,
        question: &Question,
        interrupt: &Interrupt,
        sender: &Sender<Value>,
    ) -> Result<Value, Refusal> {
        struct Leaving<'a>(&'a AtomicUsize);
        impl Drop for Leaving<'_> {
            fn drop(&mut self) {
                self.0.fetch_sub(1, SeqCst);
            }
        }
        let before = self.reviews.fetch_add(1, SeqCst);
        let _leaving = Leaving(&self.reviews);
        if before >= MAX_REVIEWS {
            let sentence = "other games are being reviewed: try again when one is done";
            return Err(Refusal::new(503, sentence));
        }
        let record = question.game.record()?;
        let settings = ReviewSettings {
            rules: question.game.rules()?,
            time: REVIEW_TIME,
            overrides: self.pool.overrides().clone(),
            ..ReviewSettings::default()
        };
        let mut progress = |done: usize, total: usize| {
            let _ = sender.send(json!({ "done": done, "total": total }));
        };
        let work = || judge(&record, &settings, interrupt, &mut progress);
        let review = self.pool.run(&question.session, interrupt, work)?.map_err(|error| {
            let status = if error == ReviewError::Interrupted { 503 } else { 409 };
            Refusal::new(status, error.to_string())
        })?;
        Ok(json!({ "review": review }))
    }
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body).map_err(|error| Refusal::bad(format!("not understood: {error}")))
}
