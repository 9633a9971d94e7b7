using System.Globalization;
using System.Reflection;
using System.Text.RegularExpressions;

namespace Mutation;

/// <summary>The process that runs tests: it loads a test program once and runs its classes on request, with one mutant active or none.</summary>
/// <remarks>
/// A request is a line with the mutant's number and the arguments that select tests, separated by tabs. The answer is a line: the failed
/// tests, or "passed"; then the reached mutants when it records.
/// </remarks>
internal static partial class TestHost
{
    /// <summary>The argument that makes this program a host.</summary>
    public const string Argument = "--host";

    /// <summary>Answers requests until there are no more.</summary>
    /// <param name="tests">The test program.</param>
    /// <param name="mutated">Name of the assembly with mutants.</param>
    public static async Task Serve(string tests, string mutated)
    {
        TextReader requests = Console.In;
        using StreamWriter answers = new(Console.OpenStandardOutput()) { AutoFlush = true };
        Console.SetIn(TextReader.Null);
        Console.SetOut(TextWriter.Null);
        Console.SetError(TextWriter.Null);
        Assembly assembly = Assembly.LoadFrom(tests);
        Type mutants = Assembly.Load(mutated).GetType("MutantSwitch", throwOnError: true)!;
        FieldInfo active = mutants.GetField("Active")!;
        byte[] reached = (byte[])mutants.GetField("Reached")!.GetValue(null)!;
        while (requests.ReadLine() is { } request)
        {
            string[] parts = request.Split('\t');
            Array.Clear(reached);
            active.SetValue(null, int.Parse(parts[0], CultureInfo.InvariantCulture));
            Environment.SetEnvironmentVariable(SwitchSource.ActiveVariable, parts[0]);
            string failed = await Run(assembly, parts[1..]).ConfigureAwait(false);
            string ids = string.Join(' ', Enumerable.Range(1, reached.Length - 1).Where(id => reached[id] != 0));
            answers.WriteLine($"{(failed.Length == 0 ? "passed" : failed)}\t{ids}");
        }
    }

    // The runner that a test program starts by itself; it is in the folder of the tests.
    private static async Task<string> Run(Assembly assembly, string[] chosen)
    {
        Type type = Assembly.Load("xunit.v3.runner.inproc.console").GetType("Xunit.Runner.InProc.SystemConsole.ConsoleRunner", throwOnError: true)!;
        string[] arguments = ["-stopOnFail", "-noColor", "-noLogo", "-noAutoReporters", .. chosen];
        await using StringWriter output = new(CultureInfo.InvariantCulture);
        using IDisposable runner = (IDisposable)Activator.CreateInstance(type, arguments, assembly)!;
        int code = await ((Task<int>)type.GetMethod("EntryPoint")!.Invoke(runner, [TextReader.Null, output])!).ConfigureAwait(false);
        if (code == 0)
            return "";
        string[] names = [.. Failure().Matches(output.ToString()).Select(row => row.Groups[1].Value).Distinct()];
        return names.Length > 0 ? string.Join(' ', names) : "?" + output.ToString().ReplaceLineEndings(" ").Replace('\t', ' ');
    }

    // Matches a test's name without its data.
    [GeneratedRegex(@"^\s*([\w.+]+)(?:\(.*)? \[FAIL\]", RegexOptions.Multiline)]
    private static partial Regex Failure();
}
