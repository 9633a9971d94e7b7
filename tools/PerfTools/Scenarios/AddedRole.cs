using System.Text.Json;
using PerfCommon;
using PerfTools.Editions;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Verdicts;

namespace PerfTools.Scenarios;

/// <summary>Adds the results of a role that ran elsewhere to the run that waited for it.</summary>
/// <param name="role">The role.</param>
/// <param name="source">The folder with its files.</param>
/// <param name="edition">The edition of its program; null for ours.</param>
internal sealed class AddedRole(string role, string source, Edition? edition)
{
    private const string JsonLines = "*.jsonl";
    private const string Csv = "*.csv";

    /// <summary>Adds the role: its files are copied into the folder of the run, counts and verdict then cover both sides.</summary>
    /// <param name="run">The folder of the run.</param>
    /// <returns>The run with the role; its run.json is not written yet.</returns>
    /// <exception cref="SetupException">The folder has no such run, or there are no results of the role (exit code 3).</exception>
    public RunDocument AddTo(RunFolder run)
    {
        RunDocument document = RunFile.Read(run.PathOf(RunFile.Name));
        Scenario scenario = ScenarioList.All.FirstOrDefault(scenario => scenario.Name == document.Scenario)
            ?? throw FileErrors.Input(run.FullPath, $"the scenario {document.Scenario} takes no roles afterwards");
        Role part = scenario.Roles.FirstOrDefault(part => part.Name == role) ?? throw FileErrors.Input(run.FullPath, $"the run has no {role}");
        if (document.Roles.FirstOrDefault(result => result.Name == role) is not { Tool: null, Final: null })
            throw FileErrors.Input(run.FullPath, $"the {role} of this run was not external, or was added before");
        JsonElement final = CopyFiles(part, run);
        ScenarioOptions options = OptionsOf(scenario, document);
        Dictionary<string, JsonElement> finals =
            document.Roles.Where(result => result.Final is not null).ToDictionary(result => result.Name, result => result.Final!.Value);
        finals[role] = final;
        return Judge(document, new FigureReader(scenario, options), finals) with
        {
            Roles = [.. document.Roles.Select(result => result.Name == role ? Describe(part, result, final) : result)],
        };
    }

    private static string? TextOf(RunDocument document, string input) =>
        document.Inputs.TryGetValue(input, out JsonElement found) ? found.ToString() : null;

    private RoleResult Describe(Role part, RoleResult result, JsonElement final)
    {
        JsonView figures = new(final);
        return result with
        {
            Tool = part.Tool,
            Command = $"external, added from {PrintableText.From(source)}",
            Edition = edition is { } other ? EditionFacts.Of(other).Word : null,
            CpuCorePercent = figures.Number("resources.steady.coreCpuPercent"),
            MemoryMegabytes = figures.Number("resources.memoryMegabytes.max"),
            Files = part.Files,
            Figures = RoleFigure.ReadAll(final),
            Final = RoleFigure.WithoutCatalogue(final),
        };
    }

    // Assertions keep their verdict: they depend on figures that are in the run.
    private RunDocument Judge(RunDocument document, FigureReader reader, Dictionary<string, JsonElement> finals)
    {
        RunFigures? figures = reader.Read(finals) is { } read ? read with { RateSteps = null } : null;
        IReadOnlyList<LinkResult> links = reader.ReadLinks(finals, name => name == role && edition is { } other ? EditionFacts.Of(other).CountsToTheEnd : null);
        Verdict verdict = document.Verdict is RunVerdict.Failed or RunVerdict.Interrupted
            ? new(document.Verdict, (Hosting.Reporting.ExitCode)document.ExitCode, document.Reason) : Verdict.Of(null, figures, links, new SlowCause());
        return document with { Figures = figures, Links = links, Verdict = verdict.Result, Reason = verdict.Reason, ExitCode = (int)verdict.Code };
    }

    // Restores the options on which the balance of links and the rates depend.
    private ScenarioOptions OptionsOf(Scenario scenario, RunDocument document)
    {
        ScenarioOptions options = scenario.Options.Defaults;
        if (int.TryParse(TextOf(document, "rate"), out int rate))
            options = options with { Rate = rate };
        if (int.TryParse(TextOf(document, "threads"), out int threads))
            options = options with { Threads = threads };
        return options with
        {
            External = options.External.AddRange(document.Roles.Where(result => result is { Tool: null } && result.Name != role)
                .Select(result => KeyValuePair.Create(result.Name, HostAddress.Elsewhere))),
        };
    }

    private JsonElement CopyFiles(Role part, RunFolder run)
    {
        if (!Directory.Exists(source))
            throw FileErrors.Input(source, "no such folder");
        string lines = run.PathOf(part.JsonFile);
        if (edition is { } other && other != Edition.Ours)
        {
            string[] files = [.. Directory.EnumerateFiles(source, Csv)];
            EditionResults results = EditionResults.Read(source, part.ReportStem, run.PathOf("no.log"), files, outside: null);
            if (!results.AreWhole)
                throw FileErrors.Input(source, $"no closing figures of a {part.Tool} in {part.ReportStem}Summary.out");
            using (FileStream stream = File.Create(lines))
                EditionLine.Write(stream, part.Tool, EditionFacts.Of(other), results, exitCode: 0);
        }
        else
        {
            string found = Directory.EnumerateFiles(source, JsonLines).FirstOrDefault(path => IsOf(part, path))
                ?? throw FileErrors.Input(source, $"no JSON lines of a {part.Tool} with a final line; of another edition name it: --edition {role}=...");
            File.Copy(found, lines, overwrite: true);
            foreach (string histogram in Directory.EnumerateFiles(source, part.Files.Histograms + "-*.h*"))
                File.Copy(histogram, run.PathOf(Path.GetFileName(histogram)), overwrite: true);
        }

        JsonLinesReader reader = new(lines);
        reader.ReadNew();
        return reader.Final ?? throw FileErrors.Input(lines, "no final line");
    }

    private static bool IsOf(Role part, string path)
    {
        JsonLinesReader reader = new(path);
        reader.ReadNew();
        return new JsonView(reader.Final).Text("tool") == part.Tool;
    }
}
