using System.Globalization;

namespace Fuzz;

/// <summary>Runs a reader on inputs: files that a fuzzer created, or our own inputs, damaged.</summary>
internal static class Program
{
    private const string Usage = """
        usage: Fuzz TARGET FILE...               reads each file; a crash or an exception is a finding
               Fuzz TARGET -damaged COUNT [SEED] reads so many inputs of our own, damaged
               Fuzz TARGET -samples FOLDER       writes our own good inputs there, for a fuzzer to begin with
        targets:
        """;

    private static int Main(string[] args)
    {
        if (args is not [var name, _, ..] || FuzzTargets.Find(name) is not { } target)
        {
            Console.Error.WriteLine($"{Usage} {string.Join(", ", FuzzTargets.All.Select(known => known.Name))}");
            return 2;
        }

        switch (args[1])
        {
            case "-damaged" when args.Length is 3 or 4 && int.TryParse(args[2], CultureInfo.InvariantCulture, out int count):
                int seed = args.Length == 4 ? int.Parse(args[3], CultureInfo.InvariantCulture) : 1;
                target.RunDamaged(seed, count);
                Console.WriteLine($"{name}: {count} damaged inputs of seed {seed} read");
                break;
            case "-samples" when args.Length == 3:
                Directory.CreateDirectory(args[2]);
                for (int i = 0; i < target.GoodInputs.Count; i++)
                    File.WriteAllBytes(Path.Combine(args[2], $"{name}-{i}"), target.GoodInputs[i]);
                break;
            default:
                foreach (string file in args.AsSpan(1))
                    target.Run(File.ReadAllBytes(file));
                break;
        }

        return 0;
    }
}
