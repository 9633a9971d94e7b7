using PerfCommon;
using PerfTools.Hosting.CommandLine;

namespace LatencyPerf.Options;

/// <summary>Reads a file with options, one <c>-name value</c> per line, <c>#</c> before comments. The command line takes precedence.</summary>
internal static class OptionsFile
{
    private const string Name = "-optionsFile";
    private const char CommentMark = '#';
    private const int MaxFileBytes = 1024 * 1024;

    /// <summary>Expands the command line: the options of its file, if it names one, come first.</summary>
    /// <exception cref="SetupException">The file, or a line of it, is invalid.</exception>
    public static string[] Expand(string[] args, LatencyPerfOptionTable table)
    {
        if (FindPath(args) is not { } path)
            return args;
        HashSet<string> given = [.. args.Where(arg => arg.StartsWith('-')).Select(NameOf)];
        List<string> all = [];
        string[] lines = ReadLines(path);
        for (int i = 0; i < lines.Length; i++)
        {
            string line = lines[i].Trim();
            if (line.Length == 0 || line[0] == CommentMark)
                continue;
            string[] words = Read(line, table, $"{PrintableText.From(path)}({i + 1})");
            if (!given.Contains(words[0]))
                all.AddRange(words);
        }

        return [.. all, .. args];
    }

    private static string? FindPath(string[] args)
    {
        int at = Array.FindIndex(args, arg => NameOf(arg) == Name);
        if (at < 0)
            return null;
        int cut = args[at].IndexOfAny(['=', ':']);
        return cut >= 0 ? args[at][(cut + 1)..] : at + 1 < args.Length ? args[at + 1] : null;
    }

    private static string NameOf(string arg)
    {
        int cut = arg.IndexOfAny(['=', ':']);
        string name = cut >= 0 ? arg[..cut] : arg;
        return name.StartsWith("--", StringComparison.Ordinal) ? name[1..] : name;
    }

    private static string[] ReadLines(string path)
    {
        try
        {
            return LimitedFile.ReadText(path, MaxFileBytes).Split('\n');
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            throw FileErrors.Unreadable(path, cause);
        }
    }

    private static string[] Read(string line, LatencyPerfOptionTable table, string where)
    {
        string[] words = line.Split((char[]?)null, 2, StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        string name = NameOf(words[0]);
        OptionRow<LatencyPerfOptions>? row = table.Rows.FirstOrDefault(row => row.Name == name);
        if (row is null || name == Name)
            throw Wrong(where, $"{PrintableText.From(words[0])} is no option for a file");
        if (row.ValueName is not null && words.Length == 1)
            throw Wrong(where, $"{name} needs a value <{row.ValueName}>");
        if (row.Apply(table.Defaults, words.Length > 1 ? words[1] : "true") is null)
            throw Wrong(where, $"{name}: '{PrintableText.From(words[1])}' is not {row.Kind}");
        return words.Length > 1 ? [name, words[1]] : [name];
    }

    private static SetupException Wrong(string where, string what) => new(SetupProblem.InputFile, $"{where}: {what}");
}
