using PerfTools.Hosting.CommandLine;
using PerfTools.Processes;

namespace PerfTools.Scenarios;

/// <summary>The options that the roles of a scenario bring: what each is told beside the rest, and where the user's own runs.</summary>
internal static class RoleRows
{
    private const string Quoted = "\"arguments\"";
    private const string ClosedQuotes = "with every quote closed";

    /// <summary>Adds <c>--args</c>, its short forms and <c>--external</c>.</summary>
    public static void Add(OptionTable<ScenarioOptions> table, IReadOnlyList<Role> roles)
    {
        foreach (Role role in roles.Where(role => role.ShortOption is not null))
            AddShort(table, role);
        table.Custom("-args", $"role={Quoted}", $"role={Quoted} {ClosedQuotes}", $"further arguments of a role: {Names(roles)}; repeatable",
            _ => null, AddArguments).Repeatable();
        table.Custom("-external", "role=host:port", "role=host:port",
            $"a role that is not started but taken as it runs there: {Names(roles.Where(role => role.ReadyLine is not null))}; repeatable",
            _ => null, AddExternal).Repeatable();
    }

    private static void AddShort(OptionTable<ScenarioOptions> table, Role role) => table.Custom(
        role.ShortOption!, Quoted, $"a list of arguments {ClosedQuotes}", $"further arguments of {role.Title}, in quotes", _ => null,
        (o, s) => ArgumentText.TrySplit(s, out IReadOnlyList<string> more, out _) ? o.WithArguments(role.Name, more) : null);

    private static string Names(IEnumerable<Role> roles) => string.Join(", ", roles.Select(role => role.Name));

    private static ScenarioOptions? AddArguments(ScenarioOptions options, string text) =>
        text.Split('=', 2) is [{ Length: > 0 } role, var rest] && ArgumentText.TrySplit(rest, out IReadOnlyList<string> more, out _)
            ? options.WithArguments(role, more) : null;

    private static ScenarioOptions? AddExternal(ScenarioOptions options, string text) =>
        text.Split('=', 2) is [{ Length: > 0 } role, var rest] && HostAddress.TryParse(rest) is { } address
            ? options with { External = options.External.SetItem(role, address) } : null;
}
