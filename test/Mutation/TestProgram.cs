using System.Diagnostics;

namespace Mutation;

/// <summary>Results of a test class in the recording run.</summary>
/// <param name="Name">Its full name.</param>
/// <param name="Seconds">Its duration in a process that has run it before.</param>
/// <param name="Reached">Numbers of the mutants that it reaches.</param>
/// <param name="ReachedAgain">Those that it reaches in the second run, too.</param>
internal sealed record TestClass(string Name, double Seconds, HashSet<int> Reached, HashSet<int> ReachedAgain);

/// <summary>Result of a run of tests.</summary>
internal enum RunEnd
{
    Passed,
    Failed,
    TimedOut,
}

/// <summary>The tests of a room, in a copy of their folder with the mutated assembly of the room.</summary>
/// <param name="folder">The copy.</param>
/// <param name="tests">The test program in it.</param>
/// <param name="mutated">Name of the assembly with mutants.</param>
internal sealed class TestProgram(string folder, string tests, string mutated)
{
    private const double MaxClassSeconds = 240; // the vectors, on a busy machine
    private const double MinLimitSeconds = 10; // for a process that has to start and compile, on a busy machine
    private const double SpareFactor = 4;

    /// <summary>Copies the programs of a test project and links its data.</summary>
    /// <param name="project">Folder of the test project, built.</param>
    /// <param name="folder">Folder for the copy.</param>
    /// <param name="mutated">The assembly that replaces the one of the same name.</param>
    public static TestProgram Create(string project, string folder, string mutated)
    {
        string built = Path.Combine(project, "bin", "Release", "net10.0");
        Directory.CreateDirectory(folder);
        foreach (string file in Directory.GetFiles(built))
            File.Copy(file, Path.Combine(folder, Path.GetFileName(file)));
        foreach (string data in Directory.GetDirectories(built))
            Directory.CreateSymbolicLink(Path.Combine(folder, Path.GetFileName(data)), data);
        File.Copy(mutated, Path.Combine(folder, Path.GetFileName(mutated)), overwrite: true);
        File.Copy(typeof(TestProgram).Assembly.Location, Path.Combine(folder, "Mutation.dll"));
        return new TestProgram(folder, Path.Combine(folder, Path.GetFileName(project) + ".dll"), Path.GetFileNameWithoutExtension(mutated));
    }

    /// <summary>Creates a process for its tests.</summary>
    public HostProcess CreateHost() => new(folder, tests, mutated);

    /// <summary>Runs each test class separately and twice, without a mutant, and records the mutants that it reaches.</summary>
    /// <returns>Those that pass in time and reach any mutant.</returns>
    public List<TestClass> Record(RoomTests room, int processes, TextWriter output)
    {
        string[] names = [.. Command.Read("dotnet", [tests, "-list", "classes", "-noColor"], folder).Split('\n').Select(line => line.Trim())
            .Where(room.Has)];
        List<TestClass> classes = [];
        Parallel.For(0, processes, part =>
        {
            using HostProcess host = CreateHost();
            for (int i = part; i < names.Length; i += processes)
            {
                HostAnswer first = host.Ask(0, Choose([names[i]]), MaxClassSeconds);
                Stopwatch watch = Stopwatch.StartNew();
                HostAnswer second = first.End == RunEnd.Passed ? host.Ask(0, Choose([names[i]]), MaxClassSeconds) : first;
                lock (classes)
                {
                    if (second.End != RunEnd.Passed)
                    {
                        output.WriteLine($"mutate: without {names[i]}: "
                            + $"{(second.End == RunEnd.TimedOut ? "it takes too long" : $"it fails without a mutant: {string.Join(", ", second.Failed)}")}");
                    }
                    else if (first.Reached.Length > 0)
                    {
                        classes.Add(new TestClass(names[i], watch.Elapsed.TotalSeconds, [.. first.Reached], [.. second.Reached]));
                    }
                }
            }
        });
        return classes;
    }

    /// <summary>
    /// Runs test classes with a mutant until one fails: those of its type and the quick ones first, separately; slow ones only up to the limit.
    /// </summary>
    /// <param name="host">The process that runs them.</param>
    /// <param name="mutant">The active mutant.</param>
    /// <param name="classes">Classes that may detect it.</param>
    /// <param name="fresh">True where the mutant must be active from the start of the process.</param>
    public static RunEnd Try(HostProcess host, Mutant mutant, IEnumerable<TestClass> classes, bool fresh)
    {
        const double QuickSeconds = 1;
        const double AllSeconds = 60; // the vectors of a room are among its slowest tests
        double sum = 0;
        string type = Path.GetFileName(mutant.Path).Split('.')[0];
        TestClass[] ordered = [.. classes.OrderByDescending(test => IsOf(test, type)).ThenBy(test => test.Seconds)];
        ordered = [.. ordered.Where((test, i) => (sum += test.Seconds) <= AllSeconds || i == 0)];
        sum = 0;
        int quick = Math.Max(1, ordered.TakeWhile(test => (sum += test.Seconds) <= QuickSeconds).Count());
        if (fresh)
            host.End();
        RunEnd end = Try(host, mutant, ordered[..quick]);
        if (end == RunEnd.Passed && quick < ordered.Length)
            end = Try(host, mutant, ordered[quick..]);
        if (fresh)
            host.End();
        return end;
    }

    // If a test then fails without the mutant too, the process is unusable: the result of a new one counts.
    private static RunEnd Try(HostProcess host, Mutant mutant, TestClass[] classes)
    {
        double limit = MinLimitSeconds + (SpareFactor * classes.Sum(test => test.Seconds));
        bool isFresh = host.IsFresh;
        HostAnswer answer = host.Ask(mutant.Id, Choose(classes.Select(test => test.Name)), limit);
        if (answer.End == RunEnd.TimedOut)
            return Confirm(host, mutant, classes, limit);
        if (answer.End != RunEnd.Failed || host.IsFresh)
            return answer.End;
        string[] again = [.. answer.Failed.SelectMany(name => new[] { "-method", name })];
        if (isFresh || (again.Length > 0 && host.Ask(0, again, limit).End == RunEnd.Passed))
            return RunEnd.Failed;
        host.End();
        return host.Ask(mutant.Id, Choose(classes.Select(test => test.Name)), limit).End;
    }

    // The limit counts only if the same tests keep it without the mutant: on a busy machine they may not.
    private static RunEnd Confirm(HostProcess host, Mutant mutant, TestClass[] classes, double limit)
    {
        if (host.Ask(0, Choose(classes.Select(test => test.Name)), limit).End == RunEnd.Passed)
            return RunEnd.TimedOut;
        host.End();
        return host.Ask(mutant.Id, Choose(classes.Select(test => test.Name)), SpareFactor * limit).End;
    }

    private static bool IsOf(TestClass test, string type) => test.Name.EndsWith($".{type}Tests", StringComparison.Ordinal);

    private static IEnumerable<string> Choose(IEnumerable<string> classes) => classes.SelectMany(name => new[] { "-class", name });
}
