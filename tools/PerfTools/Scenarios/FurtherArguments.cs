using System.Collections.Immutable;
using PerfTools.Hosting.CommandLine;
using PerfTools.Processes;

namespace PerfTools.Scenarios;

/// <summary>Arguments that the user adds to those of the run, by the names of the roles. Immutable.</summary>
internal sealed record FurtherArguments
{
    /// <summary>Texts for help: a list of arguments, and what it must be.</summary>
    public const string Quoted = "\"arguments\"", ClosedQuotes = "with every quote closed";

    private ImmutableDictionary<string, IReadOnlyList<string>> All { get; init; } = ImmutableDictionary<string, IReadOnlyList<string>>.Empty;

    /// <summary>The roles that have some.</summary>
    public IEnumerable<string> Roles => All.Keys;

    /// <summary>Those of a role; empty for none.</summary>
    public IReadOnlyList<string> Of(string role) => All.GetValueOrDefault(role, []);

    /// <summary>True when a role has some, or an empty list of them.</summary>
    public bool Has(string role) => All.ContainsKey(role);

    /// <summary>The same with more for one role, after those it has.</summary>
    public FurtherArguments With(string role, IReadOnlyList<string> more) => this with { All = All.SetItem(role, [.. Of(role), .. more]) };

    /// <summary>Adds the option <c>--args</c>.</summary>
    /// <param name="table">The table of options.</param>
    /// <param name="roles">The names of the roles, for the help.</param>
    /// <param name="get">Reads the arguments.</param>
    /// <param name="set">Creates the options with others.</param>
    public static void AddRow<T>(OptionTable<T> table, string roles, Func<T, FurtherArguments> get, Func<T, FurtherArguments, T> set)
        where T : class =>
        table.Custom("-args", $"role={Quoted}", $"role={Quoted} {ClosedQuotes}", $"further arguments of a role: {roles}; repeatable", _ => null,
            (options, text) => get(options).TryAdd(text) is { } all ? set(options, all) : null).Repeatable();

    /// <summary>Finds a role that is not started here; as a sentence, null where there is none.</summary>
    public string? FindExternal(IEnumerable<string> external) =>
        external.FirstOrDefault(Has) is { } role ? $"--args: the {role} is external and accepts no options from here" : null;

    /// <summary>Finds one of the options that belong to the run among those of some roles; as a sentence, null where there is none.</summary>
    /// <param name="roles">The roles.</param>
    /// <param name="reserved">The names of the options.</param>
    public string? FindReserved(IEnumerable<string> roles, IReadOnlyList<string> reserved) =>
        reserved.FirstOrDefault(new RoleArguments([.. roles.SelectMany(Of)]).IsGiven) is { } own
            ? $"{own} belongs to the run and cannot be given to a role" : null;

    /// <summary>A line about passwords in plain text; null where there are none.</summary>
    /// <param name="others">The options of the run with such passwords.</param>
    public string? WarnOfSecrets(IEnumerable<string> others) =>
        All.Values.SelectMany(RoleArguments.FindOpenSecrets).Concat(others).Distinct().Order().ToArray() is { Length: > 0 } open
            ? SecretText.WarnOf(open) : null;

    /// <summary>Gives what a role has to several, in addition.</summary>
    public FurtherArguments Copy(string role, IEnumerable<string> names) => names.Aggregate(this, (all, name) => all.With(name, Of(role)));

    private FurtherArguments? TryAdd(string text) =>
        text.Split('=', 2) is [{ Length: > 0 } role, var rest] && ArgumentText.TrySplit(rest, out IReadOnlyList<string> more, out _)
            ? With(role, more) : null;
}
