//! Calls of functions in scripts, and what the libraries behind them do.

use crate::programs::is_sending_method;
use crate::shell::CallWord;
use crate::tags::{EffectTags, host_of, origin_of};

/// A value in a script, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ScriptValue {
    Text(CallWord),
    List(Vec<CallWord>),
    Other,
}

/// A call of a function.
#[derive(Clone, Debug)]
pub(crate) struct ScriptCall {
    /// Its name with its module: `os.remove`. A part that is not known is `?`.
    pub(crate) name: String,
    pub(crate) arguments: Vec<ScriptValue>,
    /// ProgramArguments with names, and the members of objects among the arguments.
    pub(crate) named: Vec<(String, ScriptValue)>,
}

/// The result of reading a script: tags, and commands for the shell's reader.
#[derive(Debug, Default)]
pub(crate) struct ScriptEffects {
    pub(crate) tags: EffectTags,
    pub(crate) scripts: Vec<CallWord>,
    pub(crate) commands: Vec<Vec<CallWord>>,
}

/// Calls with an effect: the name and the argument it concerns.
const WRITES: &[(&str, usize)] = &[
    ("os.mkdir", 0),
    ("os.makedirs", 0),
    ("os.chmod", 0),
    ("os.chown", 0),
    ("os.truncate", 0),
    ("os.utime", 0),
    ("os.open", 0),
    ("os.mkfifo", 0),
    ("os.mknod", 0),
    ("os.rename", 1),
    ("os.replace", 1),
    ("os.renames", 1),
    ("os.symlink", 1),
    ("os.link", 1),
    ("shutil.move", 1),
    ("shutil.copy", 1),
    ("shutil.copy2", 1),
    ("shutil.copyfile", 1),
    ("shutil.copytree", 1),
    ("shutil.copymode", 1),
    ("shutil.make_archive", 0),
    ("shutil.unpack_archive", 1),
    ("shutil.chown", 0),
    ("urllib.request.urlretrieve", 1),
    ("numpy.save", 0),
    ("numpy.savetxt", 0),
    ("numpy.savez", 0),
    ("np.save", 0),
    ("np.savetxt", 0),
    ("np.savez", 0),
    ("logging.FileHandler", 0),
    ("tempfile.mkdtemp", 9),
    ("tempfile.mkstemp", 9),
    ("tempfile.NamedTemporaryFile", 9),
    ("fs.writeFile", 0),
    ("fs.writeFileSync", 0),
    ("fs.appendFile", 0),
    ("fs.appendFileSync", 0),
    ("fs.createWriteStream", 0),
    ("fs.mkdir", 0),
    ("fs.mkdirSync", 0),
    ("fs.mkdtemp", 0),
    ("fs.mkdtempSync", 0),
    ("fs.rename", 1),
    ("fs.renameSync", 1),
    ("fs.copyFile", 1),
    ("fs.copyFileSync", 1),
    ("fs.cp", 1),
    ("fs.cpSync", 1),
    ("fs.truncate", 0),
    ("fs.truncateSync", 0),
    ("fs.chmod", 0),
    ("fs.chmodSync", 0),
    ("fs.chown", 0),
    ("fs.chownSync", 0),
    ("fs.symlink", 1),
    ("fs.symlinkSync", 1),
    ("fs.link", 1),
    ("fs.linkSync", 1),
    ("fs.utimes", 0),
    ("fs.utimesSync", 0),
    ("fs.outputFile", 0),
    ("fs.outputFileSync", 0),
    ("fs.outputJson", 0),
    ("fs.writeJson", 0),
    ("fs.writeJsonSync", 0),
    ("fs.ensureDir", 0),
    ("fs.ensureDirSync", 0),
    ("fs.ensureFile", 0),
    ("fs.move", 1),
    ("fs.copy", 1),
    ("fs.copySync", 1),
    ("fs.moveSync", 1),
    ("Deno.writeTextFile", 0),
    ("Deno.writeTextFileSync", 0),
    ("Deno.writeFile", 0),
    ("Deno.writeFileSync", 0),
    ("Deno.mkdir", 0),
    ("Deno.mkdirSync", 0),
    ("Deno.rename", 1),
    ("Deno.renameSync", 1),
    ("Deno.copyFile", 1),
    ("Deno.copyFileSync", 1),
    ("Deno.chmod", 0),
    ("Deno.create", 0),
    ("Deno.createSync", 0),
    ("Deno.symlink", 1),
    ("Deno.truncate", 0),
    ("Bun.write", 0),
];
const DELETES: &[(&str, usize)] = &[
    ("os.remove", 0),
    ("os.unlink", 0),
    ("os.rmdir", 0),
    ("os.removedirs", 0),
    ("shutil.rmtree", 0),
    ("send2trash.send2trash", 0),
    ("send2trash", 0),
    ("fs.rm", 0),
    ("fs.rmSync", 0),
    ("fs.rmdir", 0),
    ("fs.rmdirSync", 0),
    ("fs.unlink", 0),
    ("fs.unlinkSync", 0),
    ("fs.remove", 0),
    ("fs.removeSync", 0),
    ("fs.emptyDir", 0),
    ("fs.emptyDirSync", 0),
    ("rimraf", 0),
    ("rimraf.sync", 0),
    ("rimraf.rimraf", 0),
    ("del", 0),
    ("Deno.remove", 0),
    ("Deno.removeSync", 0),
    ("trash", 0),
];
/// Methods of any object that write the file in their first argument, or the object itself.
const WRITING_METHODS: &[&str] = &[
    "write_text",
    "write_bytes",
    "touch",
    "mkdir",
    "symlink_to",
    "hardlink_to",
    "to_csv",
    "to_excel",
    "to_parquet",
    "to_pickle",
    "to_feather",
    "to_hdf",
    "savefig",
    "extractall",
    "save",
    "writelines",
    "writeFile",
    "writeFileSync",
    "appendFile",
    "createWritable",
    "to_sql",
    "write_csv",
    "write_parquet",
    "write_image",
    "write_html",
];
const DELETING_METHODS: &[&str] = &[
    "unlink",
    "rmdir",
    "rmtree",
    "unlinkSync",
    "deleteOne",
    "deleteMany",
    "drop_table",
    "delete_one",
    "delete_many",
    "removeSync",
];
const SENDING_METHODS: &[&str] = &[
    "post",
    "patch",
    "sendmail",
    "send_message",
    "sendMail",
    "sendMessage",
    "sendall",
    "sendto",
    "sendBeacon",
    "upload",
    "upload_file",
    "upload_fileobj",
    "put_object",
    "chat_postMessage",
    "insert_one",
    "insert_many",
    "insertOne",
    "insertMany",
    "update_one",
    "update_many",
    "updateOne",
    "updateMany",
    "connect_ex",
    "starttls",
];
const COMMANDS: &[&str] = &[
    "os.system",
    "os.popen",
    "subprocess.run",
    "subprocess.call",
    "subprocess.check_call",
    "subprocess.check_output",
    "subprocess.Popen",
    "subprocess.getoutput",
    "subprocess.getstatusoutput",
    "asyncio.create_subprocess_shell",
    "asyncio.create_subprocess_exec",
    "pty.spawn",
    "commands.getoutput",
    "os.startfile",
    "pexpect.spawn",
    "pexpect.run",
    "child_process.exec",
    "child_process.execSync",
    "child_process.spawn",
    "child_process.spawnSync",
    "child_process.execFile",
    "child_process.execFileSync",
    "child_process.fork",
    "execFile",
    "execFileSync",
    "execSync",
    "spawn",
    "spawnSync",
    "execa",
    "execa.execa",
    "execaCommand",
    "execa.execaCommand",
    "execaSync",
    "Bun.spawn",
    "Bun.spawnSync",
    "Deno.run",
    "Deno.Command",
    "shelljs.exec",
    "shell.exec",
    "$",
    "Bun.$",
    "zx.$",
    "execAsync",
    "execPromise",
];
const UNREADABLE: &[&str] = &[
    "eval",
    "exec",
    "compile",
    "__import__",
    "importlib.import_module",
    "runpy.run_path",
    "runpy.run_module",
    "Function",
    "ctypes.CDLL",
    "ctypes.cdll.LoadLibrary",
    "vm.runInThisContext",
    "vm.runInNewContext",
    "vm.runInContext",
    "vm.Script",
    "marshal.loads",
    "pickle.loads",
    "pickle.load",
    "builtins.eval",
    "builtins.exec",
    "globalThis.eval",
    "window.eval",
    "code.interact",
    "cffi.FFI",
];

/// Returns true for a function that must not be handed on without being seen.
pub(crate) fn is_dangerous(name: &str) -> bool {
    let is_listed = |table: &[(&str, usize)]| table.iter().any(|(known, _)| *known == name);
    is_listed(WRITES)
        || is_listed(DELETES)
        || (COMMANDS.contains(&name) && name.contains('.'))
        || matches!(name, "eval" | "exec")
        || matches!(
            name.rsplit_once('.'),
            Some(("requests" | "httpx" | "axios", "post" | "put" | "patch" | "delete"))
        )
}

impl ScriptCall {
    fn text(&self, place: usize) -> Option<&CallWord> {
        match self.arguments.get(place) {
            Some(ScriptValue::Text(word)) => Some(word),
            _ => None,
        }
    }

    fn named(&self, name: &str) -> Option<&ScriptValue> {
        self.named.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    fn named_text(&self, name: &str) -> Option<&str> {
        match self.named(name) {
            Some(ScriptValue::Text(word)) => Some(&word.text),
            _ => None,
        }
    }

    fn target(&self, place: usize) -> &str {
        self.text(place).map_or("unknown", |word| word.text.as_str())
    }

    fn address(&self) -> Option<&str> {
        let is_address = |text: &&str| text.contains("://") || text.starts_with("ws:");
        let positional = self.arguments.iter().filter_map(|value| match value {
            ScriptValue::Text(word) => Some(word.text.as_str()),
            _ => None,
        });
        positional.chain(self.named_text("url")).find(is_address)
    }

    /// Adds the effects of the call.
    pub(crate) fn judge(&self, effects: &mut ScriptEffects) {
        let name = self.name.as_str();
        let method = name.rsplit('.').next().unwrap_or(name);
        if let Some(host) = self.address().and_then(host_of) {
            effects.tags.network(host);
        }
        if let Some((_, place)) = WRITES.iter().find(|(known, _)| *known == name) {
            effects.tags.write(if *place == 9 { "/tmp" } else { self.target(*place) });
        } else if let Some((_, place)) = DELETES.iter().find(|(known, _)| *known == name) {
            effects.tags.delete(self.target(*place));
        } else if COMMANDS.contains(&name) || is_spawn(name) {
            self.command(effects);
        } else if UNREADABLE.contains(&name) {
            effects.tags.unreadable();
        } else if is_opening(name, method) {
            self.open(
                name == method || name.ends_with("fs.open") || name.ends_with("fs.openSync"),
                name,
                effects,
            );
        } else if !self.request(name, method, effects) {
            self.method(name, method, effects);
        }
    }

    /// A command as a text or as words.
    fn command(&self, effects: &mut ScriptEffects) {
        let more: Vec<CallWord> = match self.arguments.get(1) {
            Some(ScriptValue::List(words)) => words.clone(),
            _ => Vec::new(),
        };
        let rest = self.arguments.iter().skip(1).filter_map(|value| match value {
            ScriptValue::Text(word) => Some(word.clone()),
            _ => None,
        });
        let first = self.arguments.first().or_else(|| self.named("args"));
        match first {
            Some(ScriptValue::Text(word)) if !more.is_empty() => {
                effects.commands.push(std::iter::once(word.clone()).chain(more).collect());
            }
            Some(ScriptValue::Text(word))
                if self.name.ends_with("_exec")
                    || self.name.contains(".spawn")
                    || self.name.contains(".exec") && self.name.starts_with("os") =>
            {
                effects.commands.push(std::iter::once(word.clone()).chain(rest).collect());
            }
            Some(ScriptValue::Text(word)) => effects.scripts.push(word.clone()),
            Some(ScriptValue::List(words)) if !words.is_empty() => effects.commands.push(words.clone()),
            _ => effects.tags.unreadable(),
        }
    }

    /// A file that is opened: the mode decides.
    fn open(&self, is_function: bool, name: &str, effects: &mut ScriptEffects) {
        let place = usize::from(
            is_function || name.contains('.') && !name.starts_with('?') && OPENERS.contains(&name),
        );
        let mode =
            match self.named("mode").or_else(|| self.named("flags")).or_else(|| self.arguments.get(place)) {
                None => "r",
                Some(ScriptValue::Text(word)) if word.is_constant => word.text.as_str(),
                Some(_) => "w",
            };
        let is_mode = mode.len() <= 4 && mode.bytes().all(|byte| b"rwaxbtUs+:|gz".contains(&byte));
        if (is_mode && mode.contains(['w', 'a', 'x', '+']))
            || (place == 1 && !is_mode && !mode.contains("RDONLY"))
        {
            effects.tags.write(if place == 1 { self.target(0) } else { "unknown" });
        }
    }

    /// A request over the network. False if the call is none.
    fn request(&self, name: &str, method: &str, effects: &mut ScriptEffects) -> bool {
        let base = name.rsplit_once('.').map_or("", |(base, _)| base);
        let is_client = [
            "requests",
            "httpx",
            "axios",
            "got",
            "ky",
            "urllib",
            "urllib3",
            "aiohttp",
            "session",
            "client",
            "superagent",
            "needle",
            "undici",
            "http",
            "https",
            "api",
        ]
        .iter()
        .any(|client| base.split(['.', '(', '_']).any(|part| part.eq_ignore_ascii_case(client)));
        let is_function = matches!(
            name,
            "fetch"
                | "axios"
                | "got"
                | "ky"
                | "request"
                | "urlopen"
                | "urllib.request.urlopen"
                | "node-fetch"
                | "undici.request"
                | "undici.fetch"
                | "urllib.request.Request"
                | "globalThis.fetch"
                | "window.fetch"
        );
        let names_method =
            method == "request" && self.text(0).is_some_and(|word| word.text.chars().all(char::is_uppercase));
        let is_request = is_client || is_function || names_method;
        if !is_request {
            return false;
        }
        let named = self.named_text("method").map(str::to_owned);
        let method = match method {
            "get" | "head" | "options" => Some("GET".to_owned()),
            "post" | "put" | "patch" | "delete" | "stream" if method != "stream" => Some(method.to_owned()),
            "request" if self.text(0).is_some_and(|word| !word.text.contains(['/', ':'])) => {
                self.text(0).map(|word| word.text.clone())
            }
            _ => named,
        };
        // Options that are put together elsewhere may name any method.
        let has_options = matches!(self.arguments.get(1), Some(ScriptValue::Other)) && self.named.is_empty();
        let is_dynamic = matches!(self.named("method"), Some(ScriptValue::Other))
            || (has_options && name.ends_with("fetch"));
        let has_body = ["data", "body"].iter().any(|name| self.named(name).is_some());
        let sends = match method.as_deref() {
            Some(method) => is_sending_method(method),
            None => is_function && has_body,
        };
        if sends || is_dynamic {
            let target = self.address().map_or("network".to_owned(), origin_of);
            effects.tags.write(&target);
        }
        sends || is_dynamic || is_function || method.is_some()
    }

    /// A method of an object that is not known.
    fn method(&self, name: &str, method: &str, effects: &mut ScriptEffects) {
        let is_method = name.contains('.');
        if !is_method {
            if matches!(name, "WebSocket" | "EventSource" | "XMLHttpRequest") && name != "EventSource" {
                effects.tags.write(&self.address().map_or("network".to_owned(), origin_of));
            }
            return;
        }
        if WRITING_METHODS.contains(&method) {
            let is_own = matches!(method, "write_text" | "write_bytes" | "touch" | "mkdir");
            let inner =
                name.rsplit_once('.').and_then(|(base, _)| base.rsplit_once('\u{1}')).map(|(_, inner)| inner);
            effects.tags.write(if is_own { inner.unwrap_or("unknown") } else { self.target(0) });
        } else if DELETING_METHODS.contains(&method) {
            let inner =
                name.rsplit_once('.').and_then(|(base, _)| base.rsplit_once('\u{1}')).map(|(_, inner)| inner);
            effects.tags.delete(inner.unwrap_or_else(|| self.target(0)));
        } else if SENDING_METHODS.contains(&method) {
            let is_mail = matches!(method, "sendmail" | "send_message" | "sendMail");
            effects.tags.write(&if is_mail {
                "mail".to_owned()
            } else {
                self.address().map_or("network".to_owned(), origin_of)
            });
        } else if method == "delete" {
            effects.tags.delete(self.address().unwrap_or("unknown"));
        } else if method == "put" && self.address().is_some() {
            effects.tags.write(&self.address().map_or("network".to_owned(), origin_of));
        } else if matches!(method, "execute" | "executemany" | "executescript") {
            let reads = self.text(0).is_some_and(|word| crate::programs::is_reading_query(&word.text));
            if !reads {
                effects.tags.write("database");
            }
        } else if matches!(name, "os.kill" | "os.killpg" | "process.kill") {
            effects.tags.shell("kill");
        }
    }
}

/// Functions that open a file given as their first argument.
const OPENERS: &[&str] = &[
    "io.open",
    "codecs.open",
    "gzip.open",
    "bz2.open",
    "lzma.open",
    "os.fdopen",
    "aiofiles.open",
    "zipfile.ZipFile",
    "tarfile.open",
    "fs.open",
    "fs.openSync",
    "Deno.open",
    "Deno.openSync",
    "wave.open",
    "shelve.open",
];

fn is_opening(name: &str, method: &str) -> bool {
    name == "open"
        || OPENERS.contains(&name)
        || name == "ZipFile"
        || (method == "open"
            && !matches!(
                name,
                "webbrowser.open" | "Image.open" | "PIL.Image.open" | "window.open" | "os.open"
            ))
}

fn is_spawn(name: &str) -> bool {
    ["os.exec", "os.spawn", "os.posix_spawn"].iter().any(|start| name.starts_with(start))
}
