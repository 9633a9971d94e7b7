using System.Globalization;
using System.Text.Json;
using PerfCommon;
using PerfTools.Control;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Processes;
using PerfTools.Results.Files;
using PerfTools.Screen;

namespace PerfTools.Verbs;

/// <summary><c>perftools control run [role] [name=value ...]</c>: shows and changes the settings of the roles of a running test.</summary>
internal static class ControlVerb
{
    public const string Name = "control";
    public const string Summary =
        "Changes the roles of a running test: its folder or a role's host:port, a role, name=value; without values a table of what they take";

    private const string Users = "users";
    private const char Sign = '=';

    public static RunOutcome Run(IReadOnlyList<string> words, RunHost host)
    {
        string? name = words.Skip(1).FirstOrDefault(word => !word.Contains(Sign, StringComparison.Ordinal));
        string[] values = [.. words.Skip(1).Where(word => word != name)];
        IReadOnlyList<ControlledRole> roles = FindRoles(words[0], name, values);
        using ControlClient client = new();
        JsonElement[] answers = [.. roles.Select((role, i) => client.Request(role, Share(values, i, roles.Count)))];
        foreach (string line in CreateTable(roles.Select(role => role.Name).Zip(answers)))
            host.Console.WriteLine(line);
        return RunOutcome.Success;
    }

    /// <summary>Computes the values for one of several processes that form one role: its part of the users, everything else unchanged.</summary>
    /// <param name="values">Lines name=value.</param>
    /// <param name="index">The number of the process, from 0.</param>
    /// <param name="count">The number of processes.</param>
    internal static IReadOnlyList<string> Share(IReadOnlyList<string> values, int index, int count) => [.. values.Select(value =>
        value.Split(Sign, 2) is [Users, var text] && int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int all)
            ? string.Create(CultureInfo.InvariantCulture, $"{Users}{Sign}{(all / count) + (index < all % count ? 1 : 0)}") : value)];

    /// <summary>The settings of roles in columns.</summary>
    internal static IEnumerable<string> CreateTable(IEnumerable<(string Role, JsonElement Answer)> answers)
    {
        string[][] rows =
        [
            ["role", "name", "value", "unit", "least", "greatest", "what"],
            .. answers.SelectMany(one => new JsonView(one.Answer).Parts("settings").Select(setting => (string[])
            [
                one.Role, setting.Text("name") ?? "", Show(setting, "value"), Show(setting, "unit"), Show(setting, "min"),
                Show(setting, "max"), Show(setting, "kind"),
            ])),
        ];
        return AlignedColumns.Create(rows, gap: "  ");
    }

    private static string Show(JsonView setting, string name) =>
        PrintableText.From(setting.Text(name) ?? setting.Number(name)?.ToString(CultureInfo.InvariantCulture) ?? "-");

    private static IReadOnlyList<ControlledRole> FindRoles(string where, string? name, string[] values)
    {
        if (!Directory.Exists(where))
        {
            HostAddress address = HostAddress.TryParse(where) ?? throw Refuse($"{where}: no folder, and not host:port");
            return name is null
                ? [new(where, address, Environment.GetEnvironmentVariable(ControlOptions.TokenVariable))]
                : throw Refuse($"{name}: {where} is one role");
        }

        IReadOnlyList<ControlledRole> all = ControlledRole.FindIn(where);
        if (all.Count == 0)
            throw new SetupException(SetupProblem.NotStarted, $"{where}: no run goes on there");
        if (name is null)
            return values.Length == 0 ? all : throw Refuse($"name a role: {Names(all)}");
        ControlledRole[] meant = [.. all.Where(role => role.IsMeantBy(name))];
        return meant.Length > 0 ? meant : throw Refuse($"{name}: no such role; there are {Names(all)}");
    }

    private static string Names(IEnumerable<ControlledRole> roles) => string.Join(", ", roles.Select(role => role.Name));

    private static SetupException Refuse(string problem) => new(SetupProblem.CommandLine, $"{Name}: {problem}");
}
