using System.Diagnostics;

namespace Mutation;

/// <summary>Runs other programs.</summary>
internal static class Command
{
    /// <summary>Folder of the SDK that builds the repository.</summary>
    public static string SdkFolder { get; } = FindSdkFolder();

    /// <summary>Runs a program to its end.</summary>
    /// <returns>Its output.</returns>
    /// <exception cref="InvalidOperationException">It failed.</exception>
    public static string Read(string name, IEnumerable<string> arguments, string? folder = null, bool anyExitCode = false)
    {
        ProcessStartInfo start = new(name, arguments) { RedirectStandardOutput = true, RedirectStandardError = true, WorkingDirectory = folder ?? "" };
        using Process process = Process.Start(start)!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string text = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return anyExitCode || process.ExitCode == 0 ? text
            : throw new InvalidOperationException($"{name} ended with {process.ExitCode}\n{text}{errors.Result}");
    }

    private static string FindSdkFolder()
    {
        string text = Read("dotnet", ["--info"]);
        string line = text.Split('\n').First(row => row.Contains("Base Path:", StringComparison.Ordinal));
        return line[(line.IndexOf(':', StringComparison.Ordinal) + 1)..].Trim();
    }
}
