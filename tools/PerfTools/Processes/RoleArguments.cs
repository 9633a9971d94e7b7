using System.Globalization;
using PerfTools.Hosting.CommandLine;

namespace PerfTools.Processes;

/// <summary>The arguments of a role: those of the run and those that its user added; the user's value of an option takes precedence.</summary>
internal sealed class RoleArguments(IReadOnlyList<string> added)
{
    private const string Hidden = "***";
    private static readonly string[] SecretNames = ["-keypasswd", "-ppasswd"];

    private readonly List<string> _arguments = [];

    /// <summary>All arguments, in the order of the command line: the run's first.</summary>
    public IReadOnlyList<string> All => [.. _arguments, .. added];

    /// <summary>Replaces every password in arguments, so that they may be written anywhere.</summary>
    public static IReadOnlyList<string> HideSecrets(IReadOnlyList<string> arguments)
    {
        List<string> shown = [.. arguments];
        for (int i = 0; i < shown.Count; i++)
        {
            if (NameOf(shown[i]) is not { } name || !SecretNames.Contains(name))
                continue;
            if (shown[i].AsSpan().ContainsAny('=', ':'))
                shown[i] = $"{name}={Hidden}";
            else if (i + 1 < shown.Count)
                shown[++i] = Hidden;
        }

        return shown;
    }

    /// <summary>Finds the options with a password as plain text.</summary>
    public static IEnumerable<string> FindOpenSecrets(IReadOnlyList<string> arguments) =>
        SecretNames.Where(name => new RoleArguments(arguments).ValueOf(name) is { } value && SecretText.IsOpen(value));

    /// <summary>Adds an option with a value, unless the user gave it under this or one of the other names.</summary>
    public RoleArguments Set(string name, string value, params string[] otherNames)
    {
        if (!IsGiven(name) && !otherNames.Any(IsGiven))
            _arguments.AddRange([name, value]);
        return this;
    }

    public RoleArguments Set(string name, int value, params string[] otherNames) =>
        Set(name, value.ToString(CultureInfo.InvariantCulture), otherNames);

    /// <summary>Adds a switch, unless the user gave it.</summary>
    public RoleArguments Switch(string name)
    {
        if (!IsGiven(name))
            _arguments.Add(name);
        return this;
    }

    /// <summary>
    /// True when the user gave this option, as <c>-name</c> or <c>--name</c>, its value separate or after <c>=</c> or <c>:</c>.
    /// </summary>
    public bool IsGiven(string name) => added.Any(a => NameOf(a) == name);

    /// <summary>The effective value of an option; null when it is not given.</summary>
    public string? ValueOf(string name)
    {
        IReadOnlyList<string> all = All;
        for (int i = 0; i < all.Count; i++)
        {
            if (NameOf(all[i]) != name)
                continue;
            int cut = all[i].AsSpan().IndexOfAny('=', ':');
            return cut >= 0 ? all[i][(cut + 1)..] : i + 1 < all.Count ? all[i + 1] : null;
        }

        return null;
    }

    private static string? NameOf(string argument)
    {
        if (!argument.StartsWith('-'))
            return null;
        int cut = argument.AsSpan().IndexOfAny('=', ':');
        string name = cut >= 0 ? argument[..cut] : argument;
        return name.StartsWith("--", StringComparison.Ordinal) ? name[1..] : name;
    }
}
