# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the lint scripts share: the files of the tree, and C++ text without comments or string contents."""
import pathlib
import re
import subprocess

CPP_SUFFIXES = {".hpp", ".h", ".cpp", ".def", ".inc", ".cu"}
_SKIPPED_FOLDERS = {".git", "build", "shared", ".cache", "__pycache__"}
_COMMENT_OR_STRING = re.compile(
    r'R"([^()\s\\]{0,16})\(.*?\)\1"'  # raw string
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])*'"
    r"|//[^\n]*|/\*.*?\*/",
    re.DOTALL,
)


def tree_files(root):
    """Relative paths of all files that belong to the tree: git's view if there is one, else a walk without build output."""
    try:
        listing = subprocess.run(
            ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            check=True, capture_output=True, text=True).stdout
        names = [pathlib.PurePosixPath(n) for n in listing.split("\0") if n and not n.startswith("shared/")]
        return sorted(n for n in names if (root / n).is_file())
    except (OSError, subprocess.CalledProcessError):
        found = []
        for path in root.rglob("*"):
            relative = path.relative_to(root)
            if path.is_file() and not any(p in _SKIPPED_FOLDERS or p.startswith("build-") for p in relative.parts):
                found.append(pathlib.PurePosixPath(relative.as_posix()))
        return sorted(found)


def code_only(text):
    """The text with comments and the contents of strings blanked; line numbers stay."""
    def blank(match):
        piece = match.group(0)
        newlines = "\n" * piece.count("\n")
        return f'""{newlines}' if piece[0] in "R\"'" else f" {newlines}"
    return _COMMENT_OR_STRING.sub(blank, text)


def line_of(text, position):
    return text.count("\n", 0, position) + 1
