namespace PerfTools.Hosting.Control;

/// <summary>Reads what is to be set: a line <c>name=value</c> for each, empty lines between them.</summary>
internal static class SettingLines
{
    /// <returns>What is wrong, as a sentence; null when nothing is.</returns>
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
