using System.Globalization;
using System.Text;

namespace PerfTools.Hosting.CommandLine;

/// <summary>Creates the completion script for PowerShell.</summary>
internal static class PowerShellCompletion
{
    /// <inheritdoc cref="CompletionScript.Create"/>
    public static string Create(string program, IReadOnlyList<CompletedCommand> commands)
    {
        StringBuilder script = new();
        script.Append(CultureInfo.InvariantCulture, $$"""
            Register-ArgumentCompleter -Native -CommandName '{{program}}' -ScriptBlock {
              param($wordToComplete, $commandAst, $cursorPosition)
              $commands = @{

            """);
        foreach (CompletedCommand command in commands)
            Append(script, command);
        script.Append("""
              }
              $path = ''
              $previous = ''
              foreach ($element in ($commandAst.CommandElements | Select-Object -Skip 1)) {
                if ($element.Extent.EndOffset -ge $cursorPosition -and $wordToComplete) { break }
                $previous = $element.Extent.Text
                $next = "$path $previous".Trim()
                if ($commands.ContainsKey($next)) { $path = $next }
              }
              $known = $commands[$path]
              $words = if ($known.values.ContainsKey($previous)) { $known.values[$previous] } else { $known.words }
              $words | Where-Object { $_ -like "$wordToComplete*" } |
                ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
            }

            """);
        return script.ToString();
    }

    private static void Append(StringBuilder script, CompletedCommand command)
    {
        IEnumerable<string> words = command.Words.Select(word => word.Word).Concat(command.Options.Select(option => option.Names[0]));
        script.Append(CultureInfo.InvariantCulture, $"    {Quote(command.Path)} = @{{\n      words = @({List(words)})\n      values = @{{\n");
        foreach (CompletedOption option in command.Options.Where(option => option.HasValue))
        {
            foreach (string name in option.Names)
                script.Append(CultureInfo.InvariantCulture, $"        {Quote(name)} = @({List(option.Words)})\n");
        }

        script.Append("      }\n    }\n");
    }

    private static string List(IEnumerable<string> words) => string.Join(", ", words.Select(Quote));

    private static string Quote(string text) => $"'{text.Replace("'", "''", StringComparison.Ordinal)}'";
}
