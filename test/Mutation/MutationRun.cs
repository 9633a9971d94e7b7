using System.Globalization;

namespace Mutation;

/// <summary>Runs the mutation test of a room: the schema, the recording, a sample of mutants, and the score.</summary>
internal sealed class MutationRun(Room room, string root, string folder, TextWriter output)
{
    private const int Processes = 3; // a mutant that is killed by a timeout uses no processor

    private readonly Lock _gate = new();
    private int _killed;
    private int _timedOut;
    private int _equivalent;
    private int _unreached;
    private int _survived;
    private int _done;

    /// <summary>Tests a sample and prints the survivors.</summary>
    /// <param name="count">Number of mutants in the sample.</param>
    /// <param name="seed">Seed of the sample.</param>
    /// <param name="file">Beginning of the file names to which the sample is limited; empty for all.</param>
    /// <returns>Percentage that was killed.</returns>
    public double Run(int count, int seed, string file)
    {
        CompilerCall call = CompilerCall.Find(Path.Combine(root, room.Project));
        Schema schema = Schema.Compile(call, room, root, folder);
        output.WriteLine(
            $"mutate: {room.Name}: {schema.Mutants.Count()} mutants; {schema.DroppedCount} more do not compile, {schema.SkippedCount} places skipped");
        TestProgram[] programs = [.. room.Tests.Select((tests, i) => TestProgram.Create(Path.Combine(root, "test", tests.Project),
            Path.Combine(folder, $"tests{i}"), Path.Combine(folder, call.AssemblyName + ".dll")))];
        List<TestClass>[] classes = [.. room.Tests.Zip(programs, (tests, program) => program.Record(tests, Processes, output))];
        output.WriteLine($"mutate: {room.Name}: {classes.Sum(tests => tests.Count)} test classes reach "
            + $"{schema.Mutants.Count(mutant => classes.Any(tests => tests.Exists(test => test.Reached.Contains(mutant.Id))))} mutants");
        Equivalents equivalents = Equivalents.Read(Path.Combine(root, "test", "Mutation", "equivalents.tsv"));
        ILookup<string, Mutant> files = schema.Mutants.ToLookup(mutant => mutant.Path);
        Mutant[] sample = [.. schema.Mutants.Where(mutant => Path.GetFileName(mutant.Path).StartsWith(file, StringComparison.Ordinal))];
        new Random(seed).Shuffle(sample);
        sample = [.. sample.Take(count)];
        int next = -1;
        Parallel.For(0, Processes, _ =>
        {
            HostProcess[] hosts = [.. programs.Select(program => program.CreateHost())];
            while (Interlocked.Increment(ref next) is var i && i < sample.Length)
            {
                if (equivalents.Contains(sample[i]))
                    Interlocked.Increment(ref _equivalent);
                else
                    Judge(sample[i], hosts, classes, files[sample[i].Path], sample.Length);
            }

            Array.ForEach(hosts, host => host.Dispose());
        });
        int judged = sample.Length - _equivalent;
        double score = judged == 0 ? 100 : 100.0 * _killed / judged;
        output.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"mutate: {room.Name}: {sample.Length} mutants, {_killed} killed ({_timedOut} by time), {_survived} survived ({_unreached} reached by no "
                + $"test), {_equivalent} equivalent: {score:F1} % (seed {seed})"));
        return score;
    }

    private void Judge(Mutant mutant, HostProcess[] hosts, List<TestClass>[] classes, IEnumerable<Mutant> ofFile, int all)
    {
        int near = 0;
        RunEnd end = RunEnd.Passed;
        for (int i = 0; i < hosts.Length && end == RunEnd.Passed; i++)
        {
            near += classes[i].Count(test => test.Reached.Contains(mutant.Id));
            end = Try(mutant, hosts[i], classes[i], ofFile);
        }

        lock (_gate)
        {
            if (end == RunEnd.Passed)
            {
                _survived++;
                output.WriteLine($"{mutant}  ({(near == 0 ? "no test" : near == 1 ? "1 class" : $"{near} classes")})");
            }
            else
            {
                _killed++;
            }

            if (end == RunEnd.TimedOut)
                _timedOut++;
            if (near == 0)
                _unreached++;
            if (++_done % 25 == 0)
                output.WriteLine($"mutate: {room.Name}: {_done} of {all}, {_killed} killed");
        }
    }

    private static RunEnd Try(Mutant mutant, HostProcess host, List<TestClass> classes, IEnumerable<Mutant> ofFile)
    {
        TestClass[] near = [.. classes.Where(test => test.Reached.Contains(mutant.Id))];
        bool once = near.Length > 0 && !near.Any(test => test.ReachedAgain.Contains(mutant.Id));
        RunEnd end = near.Length == 0 || once ? RunEnd.Passed : TestProgram.Try(host, mutant, near, fresh: false);
        // Reached once in a process, as static members are, everywhere or in some classes: active from its start.
        return end == RunEnd.Passed && near.Any(test => !test.ReachedAgain.Contains(mutant.Id))
            ? TestProgram.Try(host, mutant, WithUsersOf(ofFile, near, classes), fresh: true) : end;
    }

    // A class that uses what another one has initialized does not reach it itself: every test that runs the file, or all where nothing else in it runs.
    private static TestClass[] WithUsersOf(IEnumerable<Mutant> file, TestClass[] near, List<TestClass> classes)
    {
        TestClass[] again = [.. classes.Where(test => file.Any(other => test.ReachedAgain.Contains(other.Id)))];
        return again.Length > 0 ? [.. near.Union(again)] : [.. classes];
    }
}
