using System.Globalization;
using System.Text;

namespace PerfCommon.Domains;

/// <summary>What both dictionary files have in common: lines with numbers, comments, and <c>!tag</c> lines.</summary>
internal abstract class DictionaryFileReader(string fileName, FieldDictionaryBuilder builder)
{
    private const string TagMark = "!tag";

    // How the three bytes that some editors put before UTF-8 text look as Latin-1.
    private const string Utf8Mark = "\u00EF\u00BB\u00BF";

    private int _line;

    /// <summary>What the file is read into.</summary>
    protected FieldDictionaryBuilder Builder { get; } = builder;

    /// <summary>File and line of what is being read, as messages name it.</summary>
    protected string Place => $"{fileName}({_line})";

    /// <summary>The number that the tag <c>Type</c> must have, when it is there.</summary>
    protected abstract int FileType { get; }

    /// <summary>Reads a whole file.</summary>
    /// <param name="path">Its path; messages show its name.</param>
    /// <exception cref="SetupException">The file cannot be opened or does not follow the format.</exception>
    public void ReadFile(string path)
    {
        try
        {
            using FileStream file = File.OpenRead(path);
            ReadStream(file, path);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw Unreadable(path, failure);
        }
    }

    /// <summary>Reads a whole stream, which stays open.</summary>
    /// <param name="stream">Its bytes.</param>
    /// <param name="name">What the message says when it cannot be read.</param>
    /// <exception cref="SetupException">The stream cannot be read or does not follow the format.</exception>
    public void ReadStream(Stream stream, string name)
    {
        try
        {
            // Every byte is one character, so that texts in any character set come back as they are.
            using StreamReader text = new(stream, Encoding.Latin1, detectEncodingFromByteOrderMarks: false, leaveOpen: true);
            Read(text);
        }
        catch (IOException failure)
        {
            throw Unreadable(name, failure);
        }
    }

    /// <summary>Reads a whole text.</summary>
    /// <param name="text">Its lines.</param>
    /// <exception cref="SetupException">It does not follow the format.</exception>
    public void Read(TextReader text)
    {
        while (text.ReadLine() is { } line)
        {
            _line++;
            ReadOnlySpan<char> content = (_line == 1 ? line.AsSpan().TrimStart(Utf8Mark) : line).Trim();
            if (content.StartsWith(TagMark, StringComparison.Ordinal))
                ReadTag(new DictionaryLine(content[TagMark.Length..]));
            else if (!content.IsEmpty && content[0] != '!')
                ReadDefinition(new DictionaryLine(content));
        }

        Finish();
    }

    /// <summary>Takes one line that is neither empty nor a comment.</summary>
    protected abstract void ReadDefinition(DictionaryLine line);

    /// <summary>Takes the value of a tag that only one of the two files has.</summary>
    protected abstract void TakeTag(ReadOnlySpan<char> name, string value);

    /// <summary>Called after the last line.</summary>
    protected abstract void Finish();

    /// <summary>Makes the error for the current line.</summary>
    protected SetupException Problem(string what) => new(SetupProblem.InputFile, $"{Place}: {what}");

    /// <summary>Takes a number of a line that must lie within limits.</summary>
    protected int ReadNumber(ref DictionaryLine line, string column, int min, int max)
    {
        string found = line.Rest.ToString();
        if (!line.TryReadNumber(out int number))
            throw Problem($"{column} expected, found \"{found}\"");
        return number >= min && number <= max ? number : throw Problem($"{column} {number} is not in {min} to {max}");
    }

    private static SetupException Unreadable(string name, Exception failure) =>
        new(SetupProblem.InputFile, $"{name}: cannot be read: {failure.Message}", failure);

    private void ReadTag(DictionaryLine line)
    {
        if (!line.TryReadWord(out ReadOnlySpan<char> name))
            throw Problem("a tag needs a name");
        string value = line.Rest.ToString();
        if (name.SequenceEqual("Type"))
        {
            if (ParseTagNumber("Type", value) != FileType)
                throw Problem($"tag Type is {value}, expected {FileType}");
        }
        else if (name.SequenceEqual("DictionaryId"))
        {
            if (!Builder.TrySetDictionaryId(ParseTagNumber("DictionaryId", value)))
                throw Problem($"tag DictionaryId is {value}, but was {Builder.Version.DictionaryId} before");
        }
        else
        {
            TakeTag(name, value);
        }
    }

    private int ParseTagNumber(string name, string value) =>
        int.TryParse(value, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int number)
            ? number
            : throw Problem($"tag {name} needs a whole number, found \"{value}\"");
}
