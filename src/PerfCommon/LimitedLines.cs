using System.Globalization;
using System.Text;

namespace PerfCommon;

/// <summary>Reads lines from other programs up to a maximum length.</summary>
internal static class LimitedLines
{
    /// <summary>Maximum usual length of a line: a histogram of all values, a collection of many threads.</summary>
    public const int MaxChars = 16 * 1024 * 1024;

    /// <summary>Reads lines, ended by a line feed, a carriage return or both; the last line may lack its end.</summary>
    /// <param name="text">The text.</param>
    /// <param name="maxChars">The maximum accepted length.</param>
    /// <exception cref="IOException">A line is longer; the lines before it were delivered.</exception>
    public static IEnumerable<string> Read(TextReader text, int maxChars = MaxChars)
    {
        const int PieceChars = 16 * 1024;
        char[] piece = new char[PieceChars];
        StringBuilder line = new();
        int number = 1;
        bool isAfterReturn = false; // of a pair that may be split between two reads
        for (int chars = text.Read(piece); chars > 0; chars = text.Read(piece))
        {
            int from = 0;
            while (from < chars)
            {
                int length = piece.AsSpan(from, chars - from).IndexOfAny('\n', '\r');
                line.Append(piece, from, length < 0 ? chars - from : length);
                if (line.Length > maxChars)
                    throw new IOException(string.Create(CultureInfo.InvariantCulture, $"line {number} has more than {maxChars} characters"));
                if (length < 0)
                {
                    isAfterReturn = false;
                    break;
                }

                char end = piece[from + length];
                bool isSecondOfPair = isAfterReturn && length == 0 && end == '\n';
                isAfterReturn = end == '\r';
                from += length + 1;
                if (isSecondOfPair)
                    continue;
                yield return line.ToString();
                line.Clear();
                number++;
            }
        }

        if (line.Length > 0)
            yield return line.ToString();
    }
}
