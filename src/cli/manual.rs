//! What packagers and shells want of a program: completions, manual pages, the licenses of the
//! libraries that a binary holds.

use super as cli;
use crate::frontend::print;
use crate::input::nearest;
use anyhow::bail;
use clap::Args;
use clap_complete::Shell;

/// The libraries in the binary and their licenses.
const NOTICES: &str = include_str!("../../THIRD-PARTY.md");

/// The options of `tengen completions`.
#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// The shell that completes
    #[arg(value_enum)]
    shell: Shell,
}

/// The options of `tengen man`.
#[derive(Args, Debug)]
pub struct ManArgs {
    /// A subcommand, for its own page
    command: Option<String>,
}

/// Prints the script by which a shell completes subcommands and options.
pub fn completions(args: &CompletionsArgs) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut cli::command(), "tengen", &mut script);
    print(&String::from_utf8(script)?)
}

/// Prints a manual page in roff.
pub fn man(args: &ManArgs) -> anyhow::Result<()> {
    let mut page = Vec::new();
    clap_mangen::Man::new(described(args.command.as_deref())?).render(&mut page)?;
    print(&String::from_utf8(page)?)
}

/// The command that a page is about.
fn described(name: Option<&str>) -> anyhow::Result<clap::Command> {
    let mut whole = cli::command();
    whole.build(); // gives the subcommands their full names
    let Some(name) = name else { return Ok(whole) };
    if let Some(found) = whole.find_subcommand(name) {
        return Ok(found.clone());
    }
    match nearest(name, whole.get_subcommands().map(|command| command.get_name())) {
        Some(meant) => bail!("there is no command '{name}'; did you mean '{meant}'?"),
        None => bail!("there is no command '{name}'; `tengen --help` lists them"),
    }
}

/// Prints the licenses of the libraries in this binary.
pub fn licenses() -> anyhow::Result<()> {
    print(NOTICES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_page_for_every_command() {
        let whole = cli::command();
        let names = whole.get_subcommands().map(|command| Some(command.get_name()));
        for name in names.chain([None]) {
            let mut page = Vec::new();
            clap_mangen::Man::new(described(name).unwrap()).render(&mut page).unwrap();
            let page = String::from_utf8(page).unwrap();
            let title = name.map_or("tengen".to_owned(), |name| format!("tengen-{name}"));
            assert!(page.contains(&format!(".TH {title} 1")), "{title}: {page}");
        }
        let error = described(Some("mach")).unwrap_err().to_string();
        assert_eq!(error, "there is no command 'mach'; did you mean 'match'?");
    }
}
