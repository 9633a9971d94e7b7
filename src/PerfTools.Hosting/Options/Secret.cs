using PerfCommon;
using PerfTools.Hosting.CommandLine;

namespace PerfTools.Hosting.Options;

/// <summary>A password as it was given: the text itself, <c>@file</c>, or an environment variable when nothing was given.</summary>
/// <param name="given">The text on the command line; null for none.</param>
/// <param name="environmentVariable">The variable that is read when nothing was given.</param>
/// <remarks>Its text form never contains the password.</remarks>
internal sealed class Secret(string? given, string environmentVariable)
{
    private const int MaxFileBytes = 64 * 1024;

    /// <summary>True when it was given on the command line.</summary>
    public bool IsGiven => given is not null;

    /// <summary>True when the command line has the text itself.</summary>
    public bool IsGivenOpenly => given is not null && SecretText.IsOpen(given);

    /// <summary>Returns the password, from the file or the variable where needed; null when none was given in any way.</summary>
    /// <exception cref="SetupException">The file cannot be read.</exception>
    public string? Reveal()
    {
        if (given is null)
            return Environment.GetEnvironmentVariable(environmentVariable);
        if (given is not [SecretText.FileMark, .. string path])
            return given;
        try
        {
            return LimitedFile.ReadText(path, MaxFileBytes).TrimEnd('\r', '\n');
        }
        catch (Exception failure) when (FileErrors.IsMeantBy(failure))
        {
            throw FileErrors.Input(path, $"password file cannot be read: {FileErrors.Describe(path, failure)}", failure);
        }
    }

    /// <summary>Returns the secret with the same variable and another text of the command line.</summary>
    public Secret WithText(string text) => new(text, environmentVariable);

    /// <summary>States whether it was given on the command line; never its text.</summary>
    public override string ToString() => given is null ? "(none)" : "(given)";
}
