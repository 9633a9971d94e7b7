using System.Globalization;
using PerfCommon;
using PerfCommon.Measurement;
using PerfTools.Hosting.Reporting;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Verdicts;

namespace PerfTools.Editions;

/// <summary>A role that a program of another edition can play.</summary>
/// <param name="Name">Its name in the scenario.</param>
/// <param name="Title">Its name in messages.</param>
/// <param name="Tool">Our program for the role.</param>
/// <param name="Stem">The first part of the names of its statistics and its summary.</param>
/// <param name="IsMeasuring">True when its latencies count.</param>
/// <param name="Listens">True when others connect to it.</param>
/// <param name="ConnectsTo">The name of the role that it connects to; null for one that listens.</param>
internal sealed record EditionPart(string Name, string Title, string Tool, string Stem, bool IsMeasuring, bool Listens, string? ConnectsTo);

/// <summary>A role that another edition's program plays: starts and ends the program, and reads its results.</summary>
internal sealed class EditionRole(EditionPart part, ToolCommand command, Edition edition, RunFolder run)
{
    private const int MaxQuotedChars = 400;
    private const int MaxLogBytes = 256 * 1024 * 1024;
    private const string LatencyStem = "Latency", SteadyTag = "steady";

    private readonly EditionFacts _facts = EditionFacts.Of(edition);

    /// <summary>The edition.</summary>
    public EditionFacts Facts => _facts;

    /// <summary>The measured time.</summary>
    public EditionWindow Window { get; } = new();

    private string Folder => FolderOf(run, part);

    private string Title => $"{part.Title} ({_facts.Title})";

    /// <summary>The working folder of a role's program.</summary>
    public static string FolderOf(RunFolder run, EditionPart part) => run.PathOf(part.Name + "-files");

    /// <summary>Creates the command that starts the program.</summary>
    /// <param name="arguments">The arguments for our program.</param>
    /// <param name="peer">The edition of the program it connects to; null for one that listens.</param>
    /// <param name="problem">What its edition cannot do; null when it can do all.</param>
    /// <exception cref="SetupException">Its inputs cannot be copied or linked.</exception>
    public RoleCommand CreateCommand(IReadOnlyList<string> arguments, Edition? peer, out string? problem)
    {
        EditionRequest request = new()
        {
            Edition = edition,
            Role = Title,
            Tool = part.Tool,
            Arguments = arguments,
            ListenPort = part.Listens ? FreePort.Find() : null,
            Peer = peer,
            Folder = Folder,
            LatencyStem = part.IsMeasuring ? LatencyStem : null,
        };
        IReadOnlyList<string> words = EditionArguments.Translate(request, out problem);
        if (problem is null && _facts.IsEma)
            EmaConfig.Write(Folder, part.Tool, arguments, request.ListenPort);
        return RoleCommand.ForOther(Title, [.. command.Words, .. words], _facts.WritesInBlocks) with
        {
            WorkingFolder = Folder,
            ListenPort = request.ListenPort,
            OnLine = Window.Receive,
        };
    }

    /// <summary>Writes the final line in the form of our tools, and judges the role.</summary>
    /// <param name="process">Its process, which has exited.</param>
    /// <param name="outside">The resources it used.</param>
    /// <param name="log">Its console output.</param>
    /// <param name="jsonLines">The file for the line.</param>
    /// <returns>What is wrong with the role; null when nothing is.</returns>
    public RunFailure? Finish(RoleProcess process, OutsideUse? outside, string log, string jsonLines)
    {
        EditionResults results = EditionResults.Read(run.FullPath, part.Stem, log, FindLatencyFiles(), outside);
        string? fault = EditionFaults.Find(ResultFile.ReadLines(log, isWhole: false, MaxLogBytes, ResultFile.MaxLineChars));
        fault ??= FindMissing(results, process);
        if (results.AreWhole)
        {
            using FileStream stream = File.Create(jsonLines);
            EditionLine.WriteIntervals(stream, part.Tool, results, process.StartUtc);
            EditionLine.Write(stream, part.Tool, _facts, results, process.ExitCode);
            WriteHistogram(results, process.StartUtc);
        }

        return fault is null ? null : new RunFailure(ExitCode.Incomplete,
            $"{Title}: {PrintableText.From(fault, MaxQuotedChars)}");
    }

    // Describes the figures that are missing; null when none is.
    private static string? FindMissing(EditionResults results, RoleProcess process)
    {
        if (!results.AreWhole)
            return "left no closing figures" + Quote(process);
        if (results.Closing("Refreshes received") is not { } got)
            return null;
        double asked = results.Closing("Requests sent") ?? got;
        return got == 0 ? "received no images" + Quote(process)
            : got < asked ? string.Create(CultureInfo.InvariantCulture, $"received {got:N0} of the {asked:N0} images that it asked for") : null;
    }

    // Writes all samples of its file in one line, as the last line of ours has those of the steady state.
    private void WriteHistogram(EditionResults results, DateTime startUtc)
    {
        if (results.Latency is null || EditionFigures.SeriesOf(part.Tool) is not { } series)
            return;
        long from = new DateTimeOffset(startUtc).ToUnixTimeMilliseconds(), to = DateTimeOffset.UtcNow.ToUnixTimeMilliseconds();
        using StringWriter text = new();
        HistogramLogWriter.WriteHeader(text, from, results.Latencies.Histogram.Unit);
        HistogramLogWriter.WriteInterval(text, from, Math.Max(from, to), results.Latencies.Histogram, SteadyTag);
        File.WriteAllText(run.PathOf($"{part.Stem}-{series}.hlog"), text.ToString());
    }

    private static string Quote(RoleProcess process) => process.LastLine is { } line ? $": \"{line}\"" : "";

    private IEnumerable<string> FindLatencyFiles() => part.IsMeasuring && Directory.Exists(Folder)
        ? Directory.EnumerateFiles(Folder, LatencyStem + "*").Order(StringComparer.Ordinal) : [];
}

/// <summary>All roles of a run that programs of other editions play.</summary>
internal sealed class EditionRoles(EditionOptions options, RunFolder run)
{
    private const string Answered = "-help";
    private const string UnknownWord = "unknown";
    private readonly Dictionary<string, EditionRole> _roles = [];
    private readonly Dictionary<string, ToolCommand> _ours = [];

    /// <summary>Finds programs and editions, and prepares their inputs; a program is started only to identify its edition.</summary>
    /// <param name="parts">The roles of the run that are started here.</param>
    /// <returns>Why the run cannot begin; null when it can begin.</returns>
    public RunFailure? Prepare(IEnumerable<EditionPart> parts)
    {
        foreach (EditionPart part in parts.Where(part => options.Has(part.Name)))
        {
            try
            {
                if (PrepareOne(part) is { } failure)
                    return failure;
            }
            catch (SetupException problem)
            {
                return new(problem.Problem == SetupProblem.OutputFile ? ExitCode.OutputFile : ExitCode.InputFile, problem.Message);
            }
        }

        return null;
    }

    /// <summary>Finds the words of the editions of programs, by role, and prepares nothing.</summary>
    /// <remarks>What is no edition's yet may be one when it is started: it is not taken for ours.</remarks>
    /// <param name="parts">The roles of the run that are started here.</param>
    public Dictionary<string, string> Probe(IEnumerable<EditionPart> parts) => parts.Where(part => options.Has(part.Name)).ToDictionary(
        part => part.Name, part => ProbeOne(part) is { } edition ? EditionFacts.Of(edition).Word : UnknownWord);

    /// <summary>The facts of the edition that plays a role, here or on another rank; null when ours plays it.</summary>
    public EditionFacts? FactsOf(string role) => Find(role)?.Facts
        ?? (options.Elsewhere.TryGetValue(role, out Edition edition) && edition != Edition.Ours ? EditionFacts.Of(edition) : null);

    /// <summary>Finds the role that another edition plays here; null when ours plays it.</summary>
    public EditionRole? Find(string role) => _roles.GetValueOrDefault(role);

    /// <summary>Creates the command of a role that a program from elsewhere plays; null for the usual program.</summary>
    /// <param name="part">The role.</param>
    /// <param name="arguments">The arguments for our program.</param>
    /// <param name="problem">What the edition cannot do; null when it can do all.</param>
    public RoleCommand? CreateCommand(EditionPart part, IReadOnlyList<string> arguments, out string? problem)
    {
        problem = null;
        if (_ours.TryGetValue(part.Name, out ToolCommand? own))
            return new(part.Title, own.Words[0], [.. own.Words.Skip(1), .. arguments]);
        Edition? peer = part.ConnectsTo is { } name ? FactsOf(name)?.Edition ?? Edition.Ours : null;
        return Find(part.Name)?.CreateCommand(arguments, peer, out problem);
    }

    private Edition? ProbeOne(EditionPart part)
    {
        ToolCommand command = options.Tools[part.Name].Locate(out string? missing);
        return missing is null ? FindEdition(part, command, run.FullPath, out _) : null;
    }

    private Edition? FindEdition(EditionPart part, ToolCommand command, string folder, out string answer)
    {
        answer = "";
        return options.Editions.TryGetValue(part.Name, out Edition said)
            ? said : EditionProbe.FindByName(command) ?? EditionProbe.Query(command, folder, out answer);
    }

    private RunFailure? PrepareOne(EditionPart part)
    {
        ToolCommand command = options.Tools[part.Name].Locate(out string? missing);
        if (missing is not null)
            return new(ExitCode.NotStarted, $"{part.Title} cannot be started: {missing}");
        string folder = EditionRole.FolderOf(run, part);
        EditionFolder.Create(folder, options.Data);
        if (FindEdition(part, command, folder, out string answer) is not { } known)
        {
            return new(ExitCode.CommandLine,
                $"--tool {part.Name}: the answer to {Answered} (\"{answer}\") is that of no edition: add --edition {part.Name}= with one of "
                    + $"{EditionOptions.Words}");
        }

        if (known == Edition.Ours)
            _ours[part.Name] = command;
        else
            _roles[part.Name] = new(part, command, known, run);
        return null;
    }
}
