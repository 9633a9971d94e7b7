using System.Text.Json;

namespace PerfTools.Results;

/// <summary>The content of <c>run.json</c>: its members are the file's, in their order (docs/run-json.md).</summary>
internal sealed record RunDocument
{
    /// <summary>The only format that is written and read.</summary>
    public const string CurrentFormat = "perftools-run-2";

    /// <summary><see cref="CurrentFormat"/>.</summary>
    public string Format { get; init; } = CurrentFormat;

    /// <summary>The scenario's name.</summary>
    public required string Scenario { get; init; }

    /// <summary>OK, SLOW or FAILED.</summary>
    public required string Verdict { get; init; }

    /// <summary>Why it is not OK; null when it is.</summary>
    public required string? Reason { get; init; }

    /// <summary>That of perftools.</summary>
    public required int ExitCode { get; init; }

    /// <summary>When the first role was started.</summary>
    public required DateTime StartUtc { get; init; }

    /// <summary>When the last role had ended.</summary>
    public required DateTime EndUtc { get; init; }

    /// <summary>What was asked for, name by name.</summary>
    public required IReadOnlyDictionary<string, JsonElement> Inputs { get; init; }

    /// <summary>Null when a role left no final figures.</summary>
    public required RunFigures? Figures { get; init; }

    /// <summary>The roles, in the order in which they were started.</summary>
    public required IReadOnlyList<RoleResult> Roles { get; init; }

    /// <summary>The account of each link, the measured one first.</summary>
    public required IReadOnlyList<LinkResult> Links { get; init; }

    /// <summary>Where it took place.</summary>
    public required MachineDescription Machine { get; init; }

    /// <summary>The document of a run on this machine.</summary>
    /// <param name="scenario">The scenario's name.</param>
    /// <param name="inputs">What was asked for, name by name.</param>
    /// <param name="result">What came of it.</param>
    public static RunDocument Of(string scenario, IReadOnlyDictionary<string, object?> inputs, RunResult result) => new()
    {
        Scenario = scenario,
        Verdict = result.Verdict.Result,
        Reason = result.Verdict.Reason,
        ExitCode = (int)result.Verdict.Code,
        StartUtc = result.StartUtc,
        EndUtc = result.EndUtc,
        Inputs = inputs.ToDictionary(input => input.Key, input => JsonSerializer.SerializeToElement(input.Value)),
        Figures = result.Figures,
        Roles = result.Roles,
        Links = result.Links,
        Machine = MachineDescription.Current,
    };
}
