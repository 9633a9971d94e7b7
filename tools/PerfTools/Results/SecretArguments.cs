namespace PerfTools.Results;

/// <summary>Keeps passwords out of everything that is written.</summary>
internal static class SecretArguments
{
    private const string Hidden = "***";
    private static readonly string[] SecretNames = ["-keypasswd", "-ppasswd"];

    /// <summary>The arguments with every password replaced.</summary>
    public static IReadOnlyList<string> Hide(IReadOnlyList<string> arguments)
    {
        List<string> shown = [.. arguments];
        for (int i = 0; i < shown.Count; i++)
        {
            string argument = shown[i].StartsWith("--", StringComparison.Ordinal) ? shown[i][1..] : shown[i];
            int cut = argument.AsSpan().IndexOfAny('=', ':');
            if (!SecretNames.Contains(cut < 0 ? argument : argument[..cut]))
                continue;
            if (cut >= 0)
                shown[i] = $"{argument[..cut]}={Hidden}";
            else if (i + 1 < shown.Count)
                shown[++i] = Hidden;
        }

        return shown;
    }
}
