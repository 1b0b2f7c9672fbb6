# SPDX-License-Identifier: MIT OR Apache-2.0
"""The table of bars: one line each, and the exit status that they add up to."""


class Report:
    def __init__(self):
        self.missed = self.unclear = self.broken = 0

    def line(self, name, measured, required, verdict):
        print(f"{name:<52} {measured:>26} {required:>30}  {verdict}", flush=True)

    def bar(self, name, measured, required, holds):
        self.missed += not holds
        self.line(name, measured, required, "pass" if holds else "FAIL")
        return holds

    def info(self, name, measured):
        self.line(name, measured, "", "info")

    def inconclusive(self, name, measured, required):
        self.unclear += 1
        self.line(name, measured, required, "inconclusive")

    def error(self, name, text):
        self.broken += 1
        self.line(name, text, "", "ERROR")

    def status(self):
        if self.broken:
            return 3
        return 1 if self.missed else 2 if self.unclear else 0
