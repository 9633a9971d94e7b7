using System.Diagnostics;
using Tools.Tests.PerfToolsTests;
using Xunit;

namespace Tools.Tests;

/// <summary>The scripts of every program, read by the shells themselves.</summary>
public sealed class CompletionTests : IDisposable
{
    private readonly TestFolder _folder = new();

    /// <summary>What is typed, and the words that are offered; the last word may be empty.</summary>
    public static TheoryData<string, string> Lines => new()
    {
        { "perftools ru", "run" },
        { "perftools run di", "direct" },
        { "perftools run direct --sec", "--seconds" },
        { "perftools run direct --seconds 5 --connection ", "encrypted socket websocket" },
        { "perftools run direct --connection e", "encrypted" },
        { "perftools search transport --over si", "size" },
        { "perftools search direct --ov", "--over" },
        { "perftools items --pre", "--prefix" },
        { "perftools compare a b --fi", "--figures" },
        { "perftools completion z", "zsh" },
        { "provperf -connT", "-connType" },
        { "provperf -pl 10 -connType ", "encrypted socket websocket" },
        { "provperf -complet", "-completion" },
        { "consperf -compressionType z", "zlib" },
        { "hubperf -maxFie", "-maxFields" },
    };

    public void Dispose() => _folder.Dispose();

    [Theory]
    [MemberData(nameof(Lines))]
    public void Completion_InBash_OffersTheWords(string typed, string expected)
    {
        string[] words = typed.Split(' ');
        string script = $"{CreateScript(words[0], "bash")}\nCOMP_WORDS=({string.Join(' ', words.Select(word => $"'{word}'"))}); COMP_CWORD={words.Length - 1}; "
            + $"_{words[0]}; printf '%s\\n' \"${{COMPREPLY[@]}}\"";
        Assert.Equal(expected, Run("bash", ["-c", script]));
    }

    // Zsh's completion frame, which narrows the function's offers to the typed text, needs a terminal.
    [Theory]
    [MemberData(nameof(Lines))]
    public void Completion_InZsh_OffersTheWords(string typed, string expected)
    {
        string[] words = typed.Split(' ');
        string script = $"{CreateScript(words[0], "zsh")}\nemulate -L sh; setopt kshglob noshglob braceexpand\n"
            + $"COMP_WORDS=({string.Join(' ', words.Select(word => $"'{word}'"))}); COMP_CWORD={words.Length - 1}; _{words[0]}; printf '%s\\n' "
            + $"\"${{COMPREPLY[@]}}\"";
        Assert.Equal(expected, Run("zsh", ["-f", "-c", script], word => word.StartsWith(words[^1], StringComparison.Ordinal)));
    }

    [Theory]
    [MemberData(nameof(Lines))]
    public void Completion_InFish_OffersTheWords(string typed, string expected)
    {
        string file = Write("fish", CreateScript(typed.Split(' ')[0], "fish"));
        Assert.Equal(expected, Run("fish", ["--no-config", "-c", $"source '{file}'; complete -C '{typed}'"], line => true));
    }

    [Fact]
    public void Completion_InPowerShell_OffersTheWords()
    {
        string script = string.Concat(Lines.Select(line => line.Data.Item1.Split(' ')[0]).Distinct().Select(program => CreateScript(program, "powershell")))
            + string.Concat(Lines.Select(line =>
                $"[System.Management.Automation.CommandCompletion]::CompleteInput('{line.Data.Item1}', {line.Data.Item1.Length}, "
                    + "$null).CompletionMatches.CompletionText | Sort-Object\n"));
        string shown = Run("pwsh", ["-NoProfile", "-NonInteractive", "-File", Write("ps1", script)], line => true, sorts: false);
        Assert.Equal(string.Join(' ', Lines.Select(line => line.Data.Item2)), shown);
    }

    [Fact]
    public void Completion_OfEveryTool_HasEveryOptionAndNoOther()
    {
        Assert.Equal(7, ToolTable.Roles.Count);
        foreach ((string tool, ToolTable table) in ToolTable.Roles)
        {
            string script = CreateScript(tool.ToLowerInvariant(), "fish");
            foreach ((string name, _) in table.Rows)
                Assert.Contains($" -o {name[1..]} ", script, StringComparison.Ordinal);
            Assert.Equal(table.Rows.Count + 3, script.Split('\n').Count(line => line.StartsWith("complete ", StringComparison.Ordinal)));
        }
    }

    [Theory]
    [InlineData("-completion ksh", "ProvPerf: -completion: 'ksh' is not one of bash, zsh, fish, powershell")]
    [InlineData("-completion", "ProvPerf: -completion: '' is not one of bash, zsh, fish, powershell")]
    public void Completion_OfAnotherShell_IsRefused(string arguments, string expected)
    {
        using StringWriter output = new(), error = new();
        Assert.Equal(2, ProvPerf.Program.Run(arguments.Split(' '), output, error));
        Assert.Equal(expected + "\n", error.ToString());
    }

    private static string CreateScript(string program, string shell)
    {
        using StringWriter output = new(), error = new();
        int code = program switch
        {
            "perftools" => PerfTools.Program.Run(["completion", shell], output, error),
            "provperf" => ProvPerf.Program.Run(["-completion", shell], output, error),
            "consperf" => ConsPerf.Program.Run(["-completion", shell], output, error),
            "niprovperf" => NIProvPerf.Program.Run(["-completion", shell], output, error),
            "hubperf" => HubPerf.Program.Run(["-completion", shell], output, error),
            "usersperf" => UsersPerf.Program.Run(["-completion", shell], output, error),
            "latencyperf" => LatencyPerf.Program.Run(["-completion", shell], output, error),
            _ => TransportPerf.Program.Run(["-completion", shell], output, error),
        };
        Assert.Equal((0, ""), (code, error.ToString()));
        return output.ToString();
    }

    private string Write(string extension, string script)
    {
        string file = _folder.PathOf($"completion.{extension}");
        File.WriteAllText(file, script);
        return file;
    }

    private static string Run(string shell, string[] arguments, Func<string, bool>? isMeant = null, bool sorts = true)
    {
        string? program = (Environment.GetEnvironmentVariable("PATH") ?? "").Split(':').Select(folder => Path.Combine(folder, shell))
            .FirstOrDefault(File.Exists);
        Assert.SkipWhen(program is null, $"{shell} is not installed");
        using Process process = Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true })!;
        IEnumerable<string> words = process.StandardOutput.ReadToEnd().Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => line.Split('\t')[0])
            .Where(isMeant ?? (_ => true));
        return string.Join(' ', sorts ? words.Order(StringComparer.Ordinal) : words);
    }
}
