using PerfTools.Hosting.Options;

namespace PerfTools.Scenarios.Users;

/// <summary>One ramp: a load, its parameters, and its steps.</summary>
/// <param name="Load">The load.</param>
/// <param name="Name">The difference from the load's base; <c>base</c> for none.</param>
/// <param name="Parameters">The parameters.</param>
/// <param name="Steps">The numbers of users, step after step.</param>
internal sealed record UsersVariant(UsersLoad Load, string Name, UsersParameters Parameters, StepList Steps)
{
    /// <summary>Default number of users of one process.</summary>
    public const int MaxUsersOfProcess = 5_000;

    /// <summary>Creates the ramps of a load; a quick one that is not the base has only its last step.</summary>
    /// <param name="load">The load.</param>
    /// <param name="options">The options.</param>
    /// <param name="problem">What is wrong with the options, as a sentence; null when nothing is.</param>
    /// <returns>None where something is wrong.</returns>
    public static IReadOnlyList<UsersVariant> Plan(UsersLoad load, UsersOptions options, out string? problem)
    {
        UsersParameters own = load.Base with { UsersProcesses = options.UsersProcesses };
        problem = null;
        foreach (string setting in options.Settings)
        {
            if (own.TrySet(setting, out problem) is not { } changed)
            {
                problem = $"--set: {problem}";
                return [];
            }

            own = changed;
        }

        List<UsersParameters> all = Cross([own], options.Sweeps, ref problem);
        foreach (string sweep in options.HasAllVariants ? load.OwnSweeps : [])
            all.AddRange(Cross([own], [sweep], ref problem));
        if (options.Sweeps.Count == 0)
            all.Insert(0, own);
        if (problem is not null)
            return [];
        return [.. all.Distinct().Select(parameters => Create(load, options, own, parameters))];
    }

    /// <summary>Sets the number of processes for the users of each machine, where the user has not set it.</summary>
    /// <param name="isFull">False for one process.</param>
    /// <param name="machines">The number of machines with users.</param>
    public UsersVariant WithProcesses(bool isFull, int machines)
    {
        int perMachine = (Steps.Totals[^1] + machines - 1) / machines;
        int needed = isFull ? (perMachine + MaxUsersOfProcess - 1) / MaxUsersOfProcess : 1;
        return this with
        {
            Parameters = Parameters with
            {
                UsersProcesses = Parameters.UsersProcesses
            ?? Math.Max(1, Math.Min(needed, Steps.Totals[0] / machines))
            }
        };
    }

    private static UsersVariant Create(UsersLoad load, UsersOptions options, UsersParameters own, UsersParameters parameters)
    {
        bool isBase = parameters == own;
        StepList steps = options.Steps ?? StepList.TryParse(load.StepsOf(parameters, options.IsFull))!;
        if (!isBase && !options.IsFull && options.Steps is null)
            steps = StepList.TryParse(steps.Totals[^1].ToString(System.Globalization.CultureInfo.InvariantCulture))!;
        return new(load, parameters.NameAmong(own), parameters, steps);
    }

    // Combines each of the sets with every value of each sweep.
    private static List<UsersParameters> Cross(List<UsersParameters> sets, IEnumerable<string> sweeps, ref string? problem)
    {
        List<UsersParameters> all = [];
        bool isAny = false;
        foreach (string sweep in sweeps)
        {
            isAny = true;
            string[] parts = sweep.Split('=', 2);
            List<UsersParameters> next = [];
            foreach (UsersParameters set in sets)
            {
                foreach (string value in parts.Length < 2 ? [""] : parts[1].Split(','))
                {
                    if (set.TrySet(parts.Length < 2 ? sweep : $"{parts[0]}={value}", out string? wrong) is { } made)
                        next.Add(made);
                    else
                        problem ??= $"--sweep: {wrong}";
                }
            }

            sets = next;
        }

        if (isAny)
            all.AddRange(sets);
        return all;
    }
}
