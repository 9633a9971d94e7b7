using System.ComponentModel;
using System.Diagnostics;
using System.Text;
using PerfCommon;

namespace PerfTools.Editions;

/// <summary>Recognizes the edition of a program by its answer to <c>-help</c>.</summary>
internal static class EditionProbe
{
    private const string Question = "-help";
    private const int MaxChars = 64 * 1024;
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan OutputLimit = TimeSpan.FromSeconds(1);

    // The first match counts: the sentences of one edition are parts of another's.
    private static readonly (string Says, Edition Edition)[] Answers =
    [
        ("Config Error: Unrecognized option", Edition.C),
        ("Usage: emaj", Edition.EmaJava),
        ("-jsonFile", Edition.Ours),
        ("Default is:False", Edition.CSharp),
        ("Default is:false", Edition.Java),
    ];

    /// <summary>
    /// Finds the edition by the names in a command: the answers of the message API's programs in C++ and C# are unknown, or equal another edition's.
    /// </summary>
    /// <param name="command">The program.</param>
    /// <returns>Null where no name shows it.</returns>
    public static Edition? FindByName(ToolCommand command)
    {
        string[] names = [.. command.Words.SelectMany(word => word.Split('/', '\\')).Select(name => name.ToUpperInvariant())];
        bool Has(string part) => names.Any(name => name.Contains(part, StringComparison.Ordinal));
        if (!names.Any(name => name.StartsWith("EMA", StringComparison.Ordinal)))
            return null;
        return Has("CPP") || Has("C++") ? Edition.EmaCpp : Has("CSHARP") || Has("C#") ? Edition.EmaCSharp : null;
    }

    /// <summary>Starts a program with <c>-help</c> and reads its answer, for ten seconds at most.</summary>
    /// <param name="command">The program.</param>
    /// <param name="folder">The folder in which it is started.</param>
    /// <param name="answer">The beginning of the output, as one line, for messages about it.</param>
    /// <returns>Null when no edition answers like that.</returns>
    public static Edition? Query(ToolCommand command, string folder, out string answer)
    {
        string text = Run(command, folder);
        answer = PrintableText.From(text.Trim().Split('\n')[0].Trim(), 200);
        return Recognize(text);
    }

    /// <summary>Finds the edition with this answer; null when no edition answers like that.</summary>
    public static Edition? Recognize(string text)
    {
        foreach ((string says, Edition edition) in Answers)
        {
            if (text.Contains(says, StringComparison.Ordinal))
                return edition;
        }

        return null;
    }

    private static string Run(ToolCommand command, string folder)
    {
        using Process process = new()
        {
            StartInfo = new(command.Words[0], [.. command.Words.Skip(1), Question])
            {
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
                WorkingDirectory = folder,
            },
        };
        try
        {
            process.Start();
        }
        catch (Win32Exception error)
        {
            return error.Message;
        }

        return Listen(process);
    }

    private static string Listen(Process process)
    {
        StringBuilder text = new();
        using CountdownEvent ended = new(2);
        process.OutputDataReceived += Take;
        process.ErrorDataReceived += Take;
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        process.StandardInput.Close();
        if (!process.WaitForExit(Limit))
            process.Kill(entireProcessTree: true);
        ended.Wait(OutputLimit); // bounded: a grandchild may hold the pipes open
        process.CancelOutputRead();
        process.CancelErrorRead();
        lock (text)
            return text.ToString();

        void Take(object sender, DataReceivedEventArgs line)
        {
            lock (text)
            {
                if (line.Data is null && !ended.IsSet)
                    ended.Signal();
                else if (text.Length < MaxChars)
                    text.Append(line.Data).Append('\n');
            }
        }
    }
}
