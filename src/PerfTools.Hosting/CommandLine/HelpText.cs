using System.Text;

namespace PerfTools.Hosting.CommandLine;

/// <summary>Lays out the help: two columns, the second wrapped to the width of the terminal, at most <see cref="MaxWidth"/>.</summary>
/// <param name="columns">Width of the terminal; null without one.</param>
internal sealed class HelpText(int? columns)
{
    /// <summary>The maximum length of a line.</summary>
    public const int MaxWidth = 100;

    private const int NamesWidth = 30;
    private const int MeaningColumn = NamesWidth + 4;
    private const int MinMeaningWidth = 24;

    private readonly StringBuilder _text = new();
    private readonly int _meaningWidth = Math.Max(MinMeaningWidth, Math.Min(columns - 1 ?? MaxWidth, MaxWidth) - MeaningColumn);

    /// <summary>Adds a line unchanged.</summary>
    public void AddLine(string line) => _text.Append(line).Append('\n');

    /// <summary>Adds an option.</summary>
    public void AddOption(string names, string meaning)
    {
        string start = $"  {names,-NamesWidth}  ";
        if (names.Length > NamesWidth)
        {
            AddLine(start.TrimEnd());
            start = new string(' ', MeaningColumn);
        }

        foreach (string piece in Wrap(meaning))
        {
            AddLine(start + piece);
            start = new string(' ', MeaningColumn);
        }
    }

    public override string ToString() => _text.ToString();

    private IEnumerable<string> Wrap(string meaning)
    {
        string line = "";
        foreach (string word in meaning.Split(' '))
        {
            if (line.Length > 0 && line.Length + 1 + word.Length > _meaningWidth)
            {
                yield return line;
                line = word;
                continue;
            }

            line = line.Length == 0 ? word : $"{line} {word}";
        }

        yield return line;
    }
}
