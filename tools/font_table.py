#!/usr/bin/python3
"""font_table.py FONT.ttf LICENCE -- outlines, advances and kerning of a TrueType font as a C table, for src/io/font.h.

   /usr/bin/python3 tools/font_table.py /usr/share/fonts/truetype/lato/Lato-Regular.ttf \\
       /usr/share/doc/fonts-lato/copyright > src/io/font.h

Needs the Debian packages python3-fonttools and fonts-lato. An outline is a list of numbers: 0 x y begins a contour,
1 x y is a line, 2 cx cy x y a quadratic curve, 3 the end of the glyph."""
import sys

from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.ttLib import TTFont

CHARACTERS = [chr(c) for c in list(range(0x20, 0x7F)) + list(range(0xA1, 0x100))]
CHARACTERS += list("ΓΔΘΛΣΦΨΩαβγδεηθκλμνπρστφχψω–—…−≤≥≈∞")


def outline(glyphs, name):
    pen = DecomposingRecordingPen(glyphs)
    glyphs[name].draw(pen)
    numbers = []
    for operation, points in pen.value:
        if operation == "moveTo":
            numbers += [0, *points[0]]
        elif operation == "lineTo":
            numbers += [1, *points[0]]
        elif operation == "qCurveTo":
            points = list(points)
            if points[-1] is None:  # a contour without points on the curve
                points = points[:-1]
                start = tuple((a + b) / 2 for a, b in zip(points[-1], points[0]))
                numbers += [0, *start]
                points.append(start)
            for k, control in enumerate(points[:-1]):
                last = k == len(points) - 2
                end = points[-1] if last else tuple((a + b) / 2 for a, b in zip(control, points[k + 1]))
                numbers += [2, *control, *end]
    return [round(x) for x in numbers] + [3]


def rows(numbers, width=16):
    for start in range(0, len(numbers), width):
        yield "    " + ", ".join(str(n) for n in numbers[start:start + width]) + ","


def table(kind, name, numbers):
    print("static const %s mn_font_%s = {\n%s\n};" % (kind, name, "\n".join(rows(numbers))))


def main():
    font = TTFont(sys.argv[1])
    licence = open(sys.argv[2], encoding="utf-8").read()
    licence = licence[licence.index("License: OFL-1.1"):].split("\n\n")[0].split("\n", 1)[1]
    glyphs, cmap, metrics = font.getGlyphSet(), font.getBestCmap(), font["hmtx"]
    kept = sorted((c for c in CHARACTERS if ord(c) in cmap), key=ord)
    name_of = {c: cmap[ord(c)] for c in kept}
    index = {}
    for k, c in enumerate(kept):
        index.setdefault(name_of[c], []).append(k)
    pairs = []
    for (a, b), shift in font["kern"].kernTables[0].kernTable.items():
        pairs += [(i, j, shift) for i in index.get(a, []) for j in index.get(b, [])
                  if ord(kept[i]) < 0x7F and ord(kept[j]) < 0x7F]
    print("""/* font.h -- the letters of pictures: outlines, widths and kerning. Made by tools/font_table.py.
 *
 * This file alone is a modified version, in another format, of a font: Copyright (c) 2010-2014 by tyPoland Lukasz
 * Dziedzic with Reserved Font Name "Lato". It is licensed under the SIL Open Font License, Version 1.1:
 *""")
    for line in licence.split("\n"):
        print((" * " + line.strip().lstrip(".")).rstrip())
    print(" */\n#ifndef MN_IO_FONT_H\n#define MN_IO_FONT_H\n\n#include <stdint.h>\n\n/* clang-format off */")
    print("enum { MN_FONT_EM = %d, MN_FONT_GLYPHS = %d, MN_FONT_PAIRS = %d };" %
          (font["head"].unitsPerEm, len(kept), len(pairs)))
    data, starts = [], []
    for c in kept:
        starts.append(len(data))
        data += outline(glyphs, name_of[c])
    table("uint16_t", "code[MN_FONT_GLYPHS]", [ord(c) for c in kept])
    table("int16_t", "width[MN_FONT_GLYPHS]", [metrics[name_of[c]][0] for c in kept])
    table("int32_t", "start[MN_FONT_GLYPHS]", starts)
    table("int16_t", "outline[]", data)
    print("/* first, second, shift; sorted */")
    table("int16_t", "kern[3 * MN_FONT_PAIRS]", [n for pair in sorted(pairs) for n in pair])
    print("/* clang-format on */\n\n#endif")


main()
