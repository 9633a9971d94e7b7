using System.Globalization;
using System.Text;

namespace PerfCommon.Domains;

/// <summary>Reads the common part of both dictionary files: lines with numbers, comments, and <c>!tag</c> lines.</summary>
/// <param name="builder">Receives the content.</param>
internal abstract class DictionaryFileReader(FieldDictionaryBuilder builder)
{
    private const int MaxLineChars = 64 * 1024;
    private const string TagMark = "!tag"; // wire/rwf 6.1

    // The three bytes that some editors write before UTF-8 text, as Latin-1.
    private const string Utf8Mark = "\u00EF\u00BB\u00BF";

    private string _name = "";
    private int _line;

    protected FieldDictionaryBuilder Builder { get; } = builder;

    /// <summary>Name of the file being read, for messages.</summary>
    protected string Name => _name;

    /// <summary>File and line being read, for messages.</summary>
    protected string Place => $"{_name}({_line})";

    /// <summary>The number that the tag <c>Type</c> must have, if it is present.</summary>
    protected abstract int FileType { get; }

    /// <summary>Name of the file that the library contains.</summary>
    protected abstract string ShippedName { get; }

    /// <summary>Reads a file.</summary>
    /// <param name="path">Its path, whose name appears in messages; null for the file that the library contains.</param>
    /// <exception cref="SetupException">The file cannot be opened or does not follow the format.</exception>
    public void Read(string? path)
    {
        try
        {
            using Stream file = path is null ? ShippedFiles.Open(ShippedName) : File.OpenRead(path);
            Read(file, Path.GetFileName(path) ?? ShippedName);
        }
        catch (Exception failure) when (FileErrors.IsMeantBy(failure))
        {
            throw FileErrors.Unreadable(path!, failure);
        }
    }

    /// <summary>Reads a stream, which stays open, under the name for messages.</summary>
    public void Read(Stream file, string name)
    {
        try
        {
            // Texts in any character set are returned unchanged.
            using StreamReader text = new(file, Encoding.Latin1, detectEncodingFromByteOrderMarks: false, leaveOpen: true); // wire/rwf 6.1
            Read(text, name);
        }
        catch (IOException failure)
        {
            throw FileErrors.Unreadable(name, failure);
        }
    }

    /// <summary>Reads a text under the name for messages.</summary>
    public void Read(TextReader text, string name)
    {
        _name = name;
        foreach (string line in LimitedLines.Read(text, MaxLineChars))
        {
            _line++;
            ReadOnlySpan<char> content = (_line == 1 ? line.AsSpan().TrimStart(Utf8Mark) : line).Trim();
            if (content.StartsWith(TagMark, StringComparison.Ordinal))
                ReadTag(new DictionaryLine(content[TagMark.Length..]));
            else if (!content.IsEmpty && content[0] != '!') // wire/rwf 6.1
                ReadDefinition(new DictionaryLine(content));
        }

        if (_line == 0)
            throw FileErrors.Empty(name);
        Finish();
    }

    /// <summary>Reads one line that is neither empty nor a comment.</summary>
    protected abstract void ReadDefinition(DictionaryLine line);

    /// <summary>Reads the value of a tag that only one of the two files has.</summary>
    protected abstract void ApplyTag(ReadOnlySpan<char> name, string value);

    /// <summary>Called after the last line.</summary>
    protected abstract void Finish();

    protected SetupException Problem(string what) => new(SetupProblem.InputFile, $"{Place}: {what}");

    /// <summary>Reads a number of a line that must lie within limits.</summary>
    protected int ReadNumber(ref DictionaryLine line, string column, int min, int max)
    {
        string found = line.Rest.ToString();
        if (!line.TryReadNumber(out int number))
            throw Problem($"{column} expected, found \"{found}\""); // wire/rwf 6.1
        return number >= min && number <= max ? number : throw Problem($"{column} {number} is not in {min} to {max}"); // wire/rwf 6.1
    }

    private void ReadTag(DictionaryLine line)
    {
        if (!line.TryReadWord(out ReadOnlySpan<char> name))
            throw Problem("a tag needs a name"); // wire/rwf 6.1
        string value = line.Rest.ToString();
        switch (name)
        {
            case "Type":
                if (ParseTagNumber("Type", value) != FileType)
                    // wire/rwf 6.1
                    throw Problem($"tag Type is {value}, expected {FileType}");
                break;
            case "DictionaryId":
                if (!Builder.TrySetDictionaryId(ParseTagNumber("DictionaryId", value)))
                    throw Problem($"tag DictionaryId is {value}, but was {Builder.Version.DictionaryId} before"); // wire/rwf 6.1
                break;
            default:
                ApplyTag(name, value);
                break;
        }
    }

    private int ParseTagNumber(string name, string value) =>
        int.TryParse(value, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int number)
            ? number
            : throw Problem($"tag {name} needs a whole number, found \"{value}\""); // wire/rwf 6.1
}
