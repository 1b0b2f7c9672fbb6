#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""The tenferro command as its users meet it: results against NumPy, exit codes, messages, files, signals, completion.

usage: command_test.py PROGRAM [unittest arguments]
"""
import io
import json
import os
import pathlib
import pty
import re
import select
import shlex
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest
from xml.etree import ElementTree

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NETWORKS = ROOT / "examples" / "networks"
GUIDE = (ROOT / "docs" / "guide" / "command-line.md").read_text(encoding="utf-8")
REFERENCE = (ROOT / "docs" / "reference" / "ops.md").read_text(encoding="utf-8")
COMMANDS = ["einsum", "contract", "bench", "info", "ops", "completion"]
DTYPES = {"float32": 1e-5, "float64": 1e-13, "complex64": 1e-5, "complex128": 1e-13, "int32": 0, "int64": 0}
PROGRAM = ""


def environment(**more):
    env = {key: value for key, value in os.environ.items() if not key.startswith(("TENFERRO_", "OPENBLAS_"))}
    return {**env, **more}


def run(*arguments, env=None, **options):
    options = {"capture_output": True, "timeout": 60, "env": env or environment(), **options}
    return subprocess.run([PROGRAM, *map(str, arguments)], **options)


def exit_codes():
    """Code and meaning, from the table of the guide."""
    table = GUIDE[GUIDE.index("## Exit codes"):]
    return {int(code) for code in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)}


class CommandTest(unittest.TestCase):
    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.addCleanup(self.holder.cleanup)
        self.folder = pathlib.Path(self.holder.name)
        self.random = np.random.default_rng(1)

    def array(self, dtype, *shape):
        values = self.random.integers(-9, 10, shape)
        if dtype.startswith("complex"):
            values = values + 1j * self.random.integers(-9, 10, shape)
        return (values if dtype.startswith("int") else values / 7).astype(dtype)

    def saved(self, name, array):
        np.save(self.folder / name, array)
        return self.folder / name

    def succeeds(self, *arguments, **options):
        done = run(*arguments, **options)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout.decode()

    def fails(self, code, *arguments, **options):
        """The message of a command that must exit with `code` and say so in exactly one line of stderr."""
        done = run(*arguments, **options)
        message = (done.stderr or b"").decode()
        self.assertEqual(done.returncode, code, message)
        self.assertRegex(message, r"\Atenferro: [^\n]+\n\Z")
        return message

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())


class Einsum(CommandTest):
    CASES = [("ij,jk->ik", [(5, 4), (4, 6)]), ("bij,bkj->bik", [(3, 2, 4), (3, 5, 4)]), ("ii->i", [(4, 4)]),
             ("ij->ji", [(3, 5)]), ("ij,jk,kl->li", [(3, 4), (4, 5), (5, 2)]), ("i,i->", [(7,), (7,)]),
             ("...ij,...jk->...ik", [(2, 3, 4), (2, 4, 2)]), ("ij,k->", [(2, 3), (4,)])]

    def test_results_are_those_of_numpy_for_every_dtype(self):
        for dtype, tolerance in DTYPES.items():
            for expression, shapes in self.CASES:
                with self.subTest(dtype=dtype, expression=expression):
                    arrays = [self.array(dtype, *shape) for shape in shapes]
                    files = [self.saved(f"{k}.npy", a) for k, a in enumerate(arrays)]
                    out = self.folder / "out.npy"
                    self.succeeds("einsum", expression, *files, "-o", out)
                    got, want = np.load(out), np.einsum(expression, *arrays)
                    self.assertEqual((got.dtype, got.shape), (want.dtype, want.shape))
                    size = np.abs(want).max()
                    self.assertLessEqual(np.abs(got - want).max(), tolerance * size)

    def test_both_orders_of_a_file_are_the_same_array(self):
        a, b = self.array("float64", 4, 3), self.array("float64", 3, 5)
        files = [self.saved("a.npy", np.asfortranarray(a)), self.saved("b.npy", b.astype(">f8"))]
        self.succeeds("einsum", "ij,jk->ik", *files, "-o", self.folder / "c.npy")
        self.assertTrue(np.allclose(np.load(self.folder / "c.npy"), a @ b, rtol=1e-13))

    def test_a_scalar_is_printed_alone_when_quiet(self):
        a = self.saved("a.npy", np.arange(4.0))
        self.assertEqual(float(self.succeeds("einsum", "i,i->", a, a, "-q")), 14.0)

    def test_reading_and_writing_the_same_file(self):
        a = self.array("float64", 4, 4)
        file = self.saved("a.npy", a)
        self.succeeds("einsum", "ij,jk->ik", file, file, "-o", file)
        self.assertTrue(np.allclose(np.load(file), a @ a, rtol=1e-13))
        self.assertEqual(self.files(), ["a.npy"])

    def test_verbose_prints_every_step(self):
        a = self.saved("a.npy", self.array("float64", 3, 3))
        plain = self.succeeds("einsum", "ij,jk,kl->il", a, a, a)
        self.assertIn("plan: 2 steps", plain)
        self.assertIn("time: ", plain)
        self.assertGreater(len(self.succeeds("einsum", "ij,jk,kl->il", a, a, a, "-v").splitlines()),
                           len(plain.splitlines()) + 1)

    def test_any_number_of_threads_gives_the_same_bytes(self):
        a = self.saved("a.npy", self.array("float64", 200, 300))
        outs = []
        for threads in (1, 2, 3):
            out = self.folder / f"out{threads}.npy"
            self.succeeds("einsum", "ij,kj->ik", a, a, "-o", out, "--threads", threads)
            outs.append(out.read_bytes())
        self.assertEqual(outs[0], outs[1])
        self.assertEqual(outs[0], outs[2])


class Contract(CommandTest):
    NETWORK = NETWORKS / "petersen_3_colourings.json"

    def network(self, dtype, expression="ij,jk->ik", shapes=((2, 3), (3, 4)), **more):
        file = self.folder / "network.json"
        file.write_text(json.dumps({"format_string": expression, "shapes": shapes, "dtype": dtype, **more}))
        return file

    def test_operands_from_files(self):
        # Proper colourings of the Petersen graph with three colours: 120 (West, Introduction to Graph Theory, 5.3).
        differ = self.saved("differ.npy", 1.0 - np.eye(3))
        value = self.succeeds("contract", self.NETWORK, "-q", "--operand", *[differ] * 15)
        self.assertEqual(float(value), 120.0)

    def test_files_of_other_shapes_are_refused(self):
        small = self.saved("small.npy", np.ones((2, 2)))
        message = self.fails(3, "contract", self.NETWORK, "--operand", *[small] * 15)
        self.assertIn("expected [3, 3], got [2, 2]", message)

    def test_every_path_gives_the_same_value(self):
        differ = self.saved("differ.npy", (1 - np.eye(3)).astype("int64"))
        for path in ("auto", "opt_flops", "opt_size"):
            value = self.succeeds("contract", self.NETWORK, "-q", "--path", path, "--operand", *[differ] * 15)
            self.assertEqual(int(value), 120)

    def test_operands_from_a_seed_are_deterministic(self):
        first, again, other = (self.succeeds("contract", self.NETWORK, "-q", "--seed", seed) for seed in (7, 7, 8))
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)
        self.assertEqual(first, self.succeeds("contract", self.NETWORK, "-q", "--seed", 7, "--threads", 1))

    def test_axes_of_files_are_those_of_the_row_major_string(self):
        network = self.network("float64", format_string_colmajor="ji,kj->ki", shapes_colmajor=[[3, 2], [4, 3]])
        a, b = self.array("float64", 2, 3), self.array("float64", 3, 4)
        out = self.folder / "out.npy"
        report = json.loads(self.succeeds("contract", network, "--json", "-o", out, "--operand",
                                          self.saved("a.npy", a), self.saved("b.npy", b)))
        self.assertTrue(np.allclose(np.load(out), a @ b, rtol=1e-13))
        self.assertEqual((report["expression"], report["shape"]), ("ij,jk->ik", [2, 4]))

    def test_random_operands_of_every_dtype(self):
        for dtype in DTYPES:
            with self.subTest(dtype=dtype):
                out = self.folder / "out.npy"
                self.succeeds("contract", self.network(dtype, "ij->ij", [(20, 20)]), "-o", out)
                values = np.load(out)
                self.assertEqual(values.dtype, dtype)
                self.assertGreater(len(np.unique(values)), 4)
                if dtype.startswith("int"):
                    self.assertEqual(set(np.unique(values)), {-2, -1, 0, 1, 2})
                if dtype.startswith("complex"):
                    self.assertTrue((values.imag != 0).all())

    def test_bool_has_no_sums(self):
        out = self.folder / "out.npy"
        self.succeeds("contract", self.network("bool", "ij->ji", [(20, 30)]), "-o", out)
        self.assertEqual((np.load(out).shape, set(np.unique(np.load(out)))), ((30, 20), {False, True}))
        self.assertIn("bool", self.fails(1, "contract", self.network("bool")))

    def test_an_order_that_the_file_lacks(self):
        self.assertIn("opt_size", self.fails(3, "contract", self.network("float64"), "--path", "opt_size"))


class Json(CommandTest):
    """What --json prints, and that the guide names each of its keys."""

    def documented(self, keys):
        for key in keys:
            self.assertIn(f"`{key}`", GUIDE)

    def test_einsum(self):
        a = self.saved("a.npy", self.array("complex128", 3, 3))
        report = json.loads(self.succeeds("einsum", "ij,ji->", a, a, "--json"))
        self.documented(report)
        self.assertEqual(report["expression"], "ij,ji->")
        self.assertEqual((report["dtype"], report["shape"], report["steps"]), ("complex<f64>", [], 1))
        want = np.einsum("ij,ji->", np.load(a), np.load(a))
        self.assertAlmostEqual(complex(*report["value"]), want, places=12)
        out = self.folder / "out.npy"
        report = json.loads(self.succeeds("einsum", "ij->ji", a, "--json", "-o", out))
        self.documented(report)
        self.assertEqual(report["output"], str(out))

    def test_contract(self):
        report = json.loads(self.succeeds("contract", Contract.NETWORK, "--json"))
        self.documented(report)
        network = json.loads(Contract.NETWORK.read_text(encoding="utf-8"))
        self.assertEqual((report["name"], report["expression"]), (network["name"], network["format_string"]))

    def test_bench(self):
        report = json.loads(self.succeeds("bench", "--quick", "--json", "--no-keep"))
        self.documented(report)
        self.assertEqual({row["dtype"] for row in report["products"]}, {"f32", "f64", "complex<f32>", "complex<f64>"})
        self.assertTrue(all(row["native"] > 0 for row in report["products"]))
        self.assertEqual(report["calibration"], "")

    def test_info(self):
        info = json.loads(self.succeeds("info", "--json", "--threads", 2))
        self.documented(info)
        self.assertEqual(info["threads"], 2)
        self.assertGreater(info["memory_bytes"], info["memory_free_bytes"])
        self.assertIsInstance(info["blas_usable"], bool)
        self.assertTrue(info["blas_kernels"])
        self.documented(info["calibration"])

    def test_ops(self):
        rows = json.loads(self.succeeds("ops", "--json"))
        self.documented(rows[0])
        self.assertEqual({tuple(row) for row in rows}, {tuple(rows[0])})


class Bench(CommandTest):
    def bench(self, *arguments):
        done = run("bench", "--quick", *arguments, env=environment(XDG_CACHE_HOME=str(self.folder)))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.decode()

    def test_keeps_the_calibration_where_the_next_process_looks_for_it(self):
        kept = self.folder / "tenferro" / "calibration"
        self.bench()
        self.assertFalse(kept.exists(), "a quick run says too little")
        self.assertIn(f"calibration kept in {kept}", self.bench("--keep"))
        self.assertIn("openblas_from_f64", kept.read_text(encoding="utf-8"))
        done = run("info", "--json", env=environment(XDG_CACHE_HOME=str(self.folder)))
        self.assertEqual(json.loads(done.stdout)["calibration"]["path"], str(kept))
        self.assertTrue(json.loads(done.stdout)["calibration"]["kept"])

    def test_draws_a_picture_with_every_product_of_f64(self):
        picture = self.folder / "roofline.svg"
        self.bench("--svg", picture)
        words = {element.text for element in ElementTree.parse(picture).iter("{http://www.w3.org/2000/svg}text")}
        self.assertLessEqual({"matmul 64", "matmul 128", "L1", "add of 10^6"}, words)
        self.assertFalse((self.folder / "tenferro").exists())

    def test_a_picture_that_cannot_be_written_is_named(self):
        missing = self.folder / "none" / "roofline.svg"
        self.assertIn(str(missing), self.fails(3, "bench", "--quick", "--no-keep", "--svg", missing))


class Listings(CommandTest):
    def test_info_names_every_field(self):
        text = self.succeeds("info")
        for field in ("tenferro ", "threads ", "cpu has ", "own kernels ", "blas ", "products ", "vectors ", "calibration ", "memory ",
                      "pool cap "):
            self.assertRegex(text, f"(?m)^{field}")

    def test_instruction_sets_are_those_of_the_processor(self):
        info = json.loads(self.succeeds("info", "--json"))
        flags = re.search(r"^flags\s*:(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
        if flags:
            known = set(flags.group(1).replace("sse4_1", "sse4.1").split())
            self.assertLessEqual(set(info["cpu_instruction_sets"]), known)
            self.assertIn(info["own_kernels"], ("avx512", "avx2", "sse4", "neon", "baseline"))

    def test_ops_are_those_of_the_reference(self):
        listed = self.succeeds("ops", "-q").split()
        self.assertEqual(sorted(listed), sorted(re.findall(r'<a id="(\w+)">', REFERENCE)))
        self.assertEqual(len(self.succeeds("ops").splitlines()), len(listed))

    def test_ops_by_a_part_of_the_name(self):
        self.assertIn("reduce_sum", self.succeeds("ops", "reduce", "-q").split())
        self.assertTrue(all("reduce" in name for name in self.succeeds("ops", "reduce", "-q").split()))

    def test_help_shows_examples(self):
        whole = self.succeeds("--help")
        self.assertIn("Example", whole)
        for code in exit_codes() & {0, 1, 2, 3, 130}:
            self.assertRegex(whole, rf"\b{code} \w")
        for command in COMMANDS:
            self.assertIn(command, whole)
            self.assertRegex(self.succeeds(command, "--help"), r"Example:\n +(source <\()?tenferro " + command)

    def test_version(self):
        version = re.search(r"project\(tenferro VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
        self.assertEqual(self.succeeds("--version"), f"tenferro {version}\n")


class Completion(CommandTest):
    def completed(self, *words):
        """What bash offers for the last word."""
        script = self.succeeds("completion", "bash") + (
            f"\nCOMP_WORDS=({' '.join(map(shlex.quote, words))})\nCOMP_CWORD={len(words) - 1}\n_tenferro\n"
            'printf "%s\\n" "${COMPREPLY[@]}"\n')
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, cwd=self.folder)
        return done.stdout.split()

    def test_bash_and_zsh_scripts_parse(self):
        for shell in ("bash", "zsh"):
            text = self.succeeds("completion", shell)
            done = subprocess.run(["bash", "-n"], input=text, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(text.startswith("#compdef tenferro\n"))

    def test_bash_offers_commands_options_and_files(self):
        self.assertEqual(set(COMMANDS), {word for word in self.completed("tenferro", "") if word[0] != "-"})
        self.assertEqual(self.completed("tenferro", "con"), ["contract"])
        self.assertEqual(self.completed("tenferro", "contract", "--ope"), ["--operand"])
        self.saved("left.npy", np.zeros(1))
        self.assertEqual(self.completed("tenferro", "einsum", "ij->ij", "le"), ["left.npy"])

    def test_fish_lines_are_complete_commands(self):
        lines = self.succeeds("completion", "fish").splitlines()
        for line in lines:
            words = shlex.split(line)
            self.assertEqual(words[:4], ["complete", "-c", "tenferro", "-n"])
        self.assertEqual([shlex.split(line)[6] for line in lines if "__fish_use_subcommand" in line], COMMANDS)


class Failures(CommandTest):
    def setUp(self):
        super().setUp()
        self.a = self.saved("a.npy", self.array("float64", 3, 4))

    def test_the_codes_are_the_documented_ones(self):
        self.assertEqual(exit_codes(), {0, 1, 2, 3, 130})

    def test_refused_contractions_are_1(self):
        for expression, files in [("ij,jk->ik", [self.a, self.a]), ("ij->", [self.a, self.a]), ("ij,", [self.a]),
                                  ("i->i", [self.a]), ("ij->ik", [self.a]), ("(ij", [self.a])]:
            with self.subTest(expression=expression):
                self.fails(1, "einsum", expression, *files, "-o", self.folder / "out.npy")
                self.assertEqual(self.files(), ["a.npy"])

    def test_bad_arguments_are_2(self):
        for arguments in [[], ["nonsense"], ["einsum"], ["einsum", "ij->ij"], ["einsum", "ij->ij", self.a, "--nope"],
                          ["contract"], ["contract", "x.json", "--path", "worst"], ["completion", "csh"],
                          ["info", "--threads", "0"], ["info", "--threads", "257"], ["info", "--threads", "two"],
                          ["info", "--threads", "-1"], ["info", "--threads"], ["ops", "a", "b"],
                          ["einsum", "ij->ij", self.a, "--repeat", "0"], ["contract", "x.json", "--seed", "1.5"],
                          ["contract", "x.json", "--seed", "9" * 20]]:
            with self.subTest(arguments=arguments):
                self.assertIn("--help", self.fails(2, *arguments))

    def test_a_bad_number_of_threads_in_the_environment_is_2(self):
        for text in ("two", "0", "-1", "257"):
            with self.subTest(text=text):
                done = run("info", env=environment(TENFERRO_NUM_THREADS=text))
                self.assertEqual(done.returncode, 2)
                self.assertIn(text, done.stderr.decode())

    def test_trouble_with_files_is_3(self):
        text, cut = self.folder / "text.npy", self.folder / "cut.npy"
        text.write_text("not an array")
        cut.write_bytes(self.a.read_bytes()[:-1])
        names = self.saved("names.npy", np.array(["a", "b"]))
        for file in (text, cut, names, self.folder / "missing.npy", self.folder):
            with self.subTest(file=file.name):
                self.assertIn(str(file), self.fails(3, "einsum", "ij->ij", file))
        for content in ("", "{}", "[1, 2]", '{"format_string": "ij->ij", "shapes": [[2, 3], [3]]}'):
            (self.folder / "bad.json").write_text(content)
            self.assertIn("bad.json", self.fails(3, "contract", self.folder / "bad.json"))

    def test_a_name_with_a_line_break_stays_one_line(self):
        self.assertIn("\\x0a", self.fails(3, "einsum", "ij->ij", "no\nsuch\nfile"))

    def test_a_folder_that_cannot_be_written(self):
        self.fails(3, "einsum", "ij->ji", self.a, "-o", self.folder / "missing" / "out.npy")
        self.fails(3, "einsum", "ij->ji", self.a, "-o", self.folder)
        closed = self.folder / "closed"
        closed.mkdir()
        closed.chmod(stat.S_IRUSR | stat.S_IXUSR)
        if os.access(closed, os.W_OK):
            closed = pathlib.Path("/proc/self")  # root may write everywhere but there
        self.fails(3, "einsum", "ij->ji", self.a, "-o", closed / "out.npy")
        self.assertEqual(self.files(), ["a.npy", "closed"] if closed.parent == self.folder else self.files())

    def test_an_old_result_survives_a_failure(self):
        old = self.saved("old.npy", np.arange(3.0)).read_bytes()
        self.fails(1, "einsum", "ij,jk->ik", self.a, self.a, "-o", self.folder / "old.npy")
        self.assertEqual((self.folder / "old.npy").read_bytes(), old)
        self.assertEqual(self.files(), ["a.npy", "old.npy"])

    def test_a_full_device_as_result(self):
        self.fails(3, "einsum", "ij->ji", self.a, "-o", "/dev/full")

    def test_a_full_device_as_standard_output(self):
        with open("/dev/full", "wb") as full:
            for arguments in [["einsum", "ij->ji", self.a], ["info"], ["info", "--json"], ["ops", "-v"], ["--help"],
                              ["--version"], ["completion", "bash"], ["contract", Contract.NETWORK, "--json"]]:
                with self.subTest(arguments=arguments):
                    message = self.fails(3, *arguments, capture_output=False, stdout=full, stderr=subprocess.PIPE)
                    self.assertIn("standard output", message)

    def test_the_number_of_threads_of_the_environment(self):
        info = json.loads(self.succeeds("info", "--json", env=environment(TENFERRO_NUM_THREADS="3")))
        self.assertEqual(info["threads"], 3)
        info = json.loads(self.succeeds("info", "--json", "-t", 2, env=environment(TENFERRO_NUM_THREADS="3")))
        self.assertEqual(info["threads"], 2)


class Interruption(CommandTest):
    def setUp(self):
        super().setUp()
        a = self.saved("a.npy", np.ones((500, 500)))
        self.arguments = ["einsum", "ij,jk->ik", a, a, "-o", self.folder / "out.npy", "--repeat", "1000000"]

    def started(self, *more, **options):
        process = subprocess.Popen([PROGRAM, *map(str, self.arguments), *more], stdout=subprocess.PIPE,
                                   env=environment(), **options)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def test_ends_at_once_and_writes_nothing(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.started(stderr=subprocess.PIPE)
            self.assertIn(b"plan: 1 steps", process.stdout.readline())
            process.send_signal(number)
            message = process.stderr.read()
            process.stderr.close()
            self.assertEqual(process.wait(20), 128 + number)
            self.assertEqual(message, b"tenferro: interrupted; nothing was written\n")
            self.assertEqual(self.files(), ["a.npy"])

    def test_a_result_that_is_being_written_is_finished_first(self):
        fifo = self.folder / "out.npy"
        os.mkfifo(fifo)
        self.arguments[-1] = "1"
        for signals in (1, 2):
            process = self.started(stderr=subprocess.PIPE)
            with open(fifo, "rb") as reader:  # waits for the writer, which then waits for the reader
                for _ in range(signals):
                    process.send_signal(signal.SIGINT)
                    time.sleep(0.2)
                data = reader.read()
            message = process.stderr.read()
            process.stderr.close()
            self.assertEqual(process.wait(20), 130)
            if signals == 1:
                self.assertEqual(message, b"tenferro: interrupted after the result was written\n")
                self.assertTrue((np.load(io.BytesIO(data)) == 500).all())
            else:
                self.assertEqual(message, b"tenferro: interrupted while the result was written\n")

    def test_ignored_signals_stay_ignored(self):
        process = self.started(stderr=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        process.stdout.readline()
        process.send_signal(signal.SIGHUP)
        time.sleep(0.1)
        self.assertIsNone(process.poll())
        process.kill()
        process.stderr.close()

    def on_a_terminal(self, *more, until=None, seconds=30.0):
        """What stands on stderr, a terminal, of a run that is interrupted once it matches, or after some seconds."""
        master, terminal = pty.openpty()
        self.addCleanup(os.close, master)
        process = self.started(*more, stderr=terminal)
        os.close(terminal)
        shown, end, sent = b"", time.monotonic() + seconds, False
        while True:
            if not sent and (time.monotonic() > end or (until and re.search(until, shown.decode()))):
                process.send_signal(signal.SIGINT)
                sent = True
            if not select.select([master], [], [], 0.05)[0]:
                continue
            try:
                part = os.read(master, 4096)
            except OSError:  # the other side is closed
                part = b""
            if not part:
                break
            shown += part
        self.assertEqual(process.wait(20), 130)
        return shown.decode()

    def test_a_terminal_shows_progress_after_a_second(self):
        line = r"contracting: \d+ s, 0 %, about \d+ s left"
        started = time.monotonic()
        shown = self.on_a_terminal(until=line)
        self.assertGreater(time.monotonic() - started, 1)
        self.assertRegex(shown, line)
        # The line is removed before the last message.
        self.assertRegex(shown, r"\r\x1b\[Ktenferro: interrupted; nothing was written\r\n\Z")

    def test_a_quiet_run_shows_none(self):
        shown = self.on_a_terminal("-q", seconds=1.5)
        self.assertEqual(shown, "tenferro: interrupted; nothing was written\r\n")


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
