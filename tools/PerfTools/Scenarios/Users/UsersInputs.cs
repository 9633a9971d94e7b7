using System.Text.Json;
using PerfTools.Processes;

namespace PerfTools.Scenarios.Users;

/// <summary>The options of a ramp as run.json has them.</summary>
internal static class UsersInputs
{
    /// <summary>Describes the options, under the names of run.json, except what only a run knows.</summary>
    public static Dictionary<string, JsonElement> Of(UsersVariant variant, UsersOptions options) => InputJson.Of(Describe(variant, options));

    /// <summary>The same, to be completed by a run.</summary>
    public static Dictionary<string, object?> Describe(UsersVariant variant, UsersOptions options)
    {
        Dictionary<string, object?> inputs = DescribeAlways(variant, options);
        if (options.BindsWorkers)
            inputs["bind"] = ScenarioRows.BindAuto;
        return inputs;
    }

    // The threads of a process with users are left out where they are open: then runs of earlier versions have the same inputs.
    private static Dictionary<string, object?> DescribeAlways(UsersVariant variant, UsersOptions options) => new()
    {
        ["rate"] = variant.Parameters.SourceRate,
        ["latencyRate"] = "all",
        ["stamp"] = "sent",
        ["seconds"] = options.Period,
        ["pack"] = 1,
        ["connection"] = variant.Parameters.ConnType,
        ["compression"] = "none",
        ["arguments"] = UsersOptions.Roles.Where(options.Arguments.Has).ToDictionary(role => role,
            role => RoleArguments.HideSecrets(options.Arguments.Of(role))),
        ["external"] = options.External.ToDictionary(role => role.Key, role => role.Value.ToString()),
        ["variant"] = variant.Name,
        ["steps"] = variant.Steps.ToString(),
        ["parameters"] = variant.Parameters.All.Where(row => row.Name != UsersParameters.UsersThreadsName || row.Value.Length > 0)
            .ToDictionary(row => row.Name, row => row.Value),
    };
}
