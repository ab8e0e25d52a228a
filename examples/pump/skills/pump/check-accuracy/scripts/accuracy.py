#!/usr/bin/env python3
"""Judge a weighing test of a dosing line.

usage: accuracy.py --volume MICROLITRES --temperature CELSIUS MASS_MG...

Prints mean deviation and variation with their limits. Exit status: 0 passed,
1 failed, 2 wrong call. Reads ../assets/water-density.csv beside this script;
the limits are those of references/limits.md.
"""
import argparse
import csv
import pathlib
import statistics
import sys

# smallest test volume of the band in microlitres, mean deviation in %, variation in %
LIMITS = [(10000, 0.4, 0.2), (1000, 0.6, 0.3), (200, 1.0, 0.6), (50, 2.0, 1.5), (10, 5.0, 3.0)]
DENSITY_TABLE = pathlib.Path(__file__).resolve().parent.parent / "assets" / "water-density.csv"


def water_density(celsius):
    """Density in g/ml, interpolated between the rows of the table."""
    with open(DENSITY_TABLE, newline="") as table:
        rows = [(float(r["celsius"]), float(r["g_per_ml"])) for r in csv.DictReader(table)]
    for (low, d_low), (high, d_high) in zip(rows, rows[1:]):
        if low <= celsius <= high:
            return d_low + (d_high - d_low) * (celsius - low) / (high - low)
    sys.exit(f"accuracy.py: {celsius} degrees is outside {rows[0][0]:.0f} to {rows[-1][0]:.0f}")


def main():
    parser = argparse.ArgumentParser(description="Judge a weighing test of a dosing line.")
    parser.add_argument("--volume", type=float, required=True, help="test volume in microlitres, 10 to 50000")
    parser.add_argument("--temperature", type=float, required=True, help="of the water, in degrees Celsius")
    parser.add_argument("mass_mg", type=float, nargs="+", help="one reading per dose, in milligrams")
    args = parser.parse_args()
    if not 10 <= args.volume <= 50000:
        parser.error("--volume: from 10 to 50000 microlitres")
    if len(args.mass_mg) < 3:
        parser.error("at least three readings, ten for a valid test")

    density = water_density(args.temperature)
    volumes = [mass / density for mass in args.mass_mg]
    mean = statistics.mean(volumes)
    deviation = 100 * (mean - args.volume) / args.volume
    variation = 100 * statistics.stdev(volumes) / mean
    _, deviation_limit, variation_limit = next(band for band in LIMITS if args.volume >= band[0])
    passed = abs(deviation) <= deviation_limit and variation <= variation_limit

    print(f"readings        {len(volumes)}{'' if len(volumes) >= 10 else ' (ten are needed for a valid test)'}")
    print(f"mean volume     {mean:.2f} microlitres at density {density:.5f} g/ml")
    print(f"mean deviation  {deviation:+.2f} %  (at most {deviation_limit} %)")
    print(f"variation       {variation:.2f} %  (at most {variation_limit} %)")
    print("passed" if passed else "failed")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
