namespace PerfTools.Hosting.Control;

/// <summary>Reads the settings of a request: a line <c>name=value</c> for each, empty lines between them.</summary>
internal static class SettingLines
{
    /// <returns>The error, as a sentence; null when there is none.</returns>
    public static string? TryRead(string body, out IReadOnlyList<(string Name, string Value)> asked)
    {
        List<(string Name, string Value)> found = [];
        asked = found;
        foreach (string line in body.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            int sign = line.IndexOf('=', StringComparison.Ordinal);
            if (sign <= 0)
                return $"'{line}' is not name=value";
            string name = line[..sign].TrimEnd();
            if (found.Exists(one => one.Name == name))
                return $"{name}: given more than once";
            found.Add((name, line[(sign + 1)..].TrimStart()));
        }

        return found.Count == 0 ? "nothing to set: send lines name=value" : null;
    }
}
