using System.Xml;

namespace PerfCommon.MsgData;

/// <summary>Reads one XML input file forward, and formats its errors: <c>file(line): what</c>.</summary>
/// <remarks>No DTD, no external entity; the text of elements is ignored.</remarks>
internal sealed class XmlInput : IDisposable
{
    private const int BufferBytes = 64 * 1024;

    private static readonly XmlReaderSettings Settings = new()
    {
        DtdProcessing = DtdProcessing.Prohibit,
        XmlResolver = null,
        IgnoreComments = true,
        IgnoreProcessingInstructions = true,
        IgnoreWhitespace = true,
    };

    private readonly string _name;
    private readonly Stream? _file;
    private readonly bool _isEmpty;
    private readonly XmlReader _reader;

    private XmlInput(string name, Stream stream, Stream? file)
    {
        _name = name;
        _file = file;
        _isEmpty = stream is { CanSeek: true, Length: 0 };
        _reader = XmlReader.Create(stream, Settings);
    }

    /// <summary>Prefix of error messages after the line, such as <c>item 3: </c>; empty by default.</summary>
    public string Subject { get; set; } = "";

    /// <summary>The element whose start or end tag was read last.</summary>
    public string Name => _reader.LocalName;

    /// <summary>Line of the tag that was read last, from 1.</summary>
    public int Line => ((IXmlLineInfo)_reader).LineNumber;

    /// <summary>Opens a stream, which stays open after use, by the name that errors print.</summary>
    public static XmlInput Open(Stream stream, string name) => new(name, stream, file: null);

    public static XmlInput Open(string path)
    {
        try
        {
            FileStream file = new(path, FileMode.Open, FileAccess.Read, FileShare.Read, BufferBytes);
            return new XmlInput(path, file, file);
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            throw FileErrors.Unreadable(path, cause);
        }
    }

    /// <summary>Moves to the root element, which must have this name.</summary>
    public void ReadRoot(string name)
    {
        while (ReadTag() != XmlNodeType.Element)
        {
            if (_reader.EOF)
                throw Error($"there is no <{name}>");
        }

        if (Name != name)
            throw Error($"found <{PrintableText.From(Name)}>, expected <{name}>");
    }

    /// <summary>Moves to the next child of an element: false when its end tag is reached.</summary>
    /// <param name="parentDepth">The value that <see cref="EnterElement"/> returned.</param>
    public bool ReadChild(int parentDepth)
    {
        while (parentDepth >= 0)
        {
            XmlNodeType tag = ReadTag();
            if (tag == XmlNodeType.Element)
                return true;
            if (_reader.EOF || (tag == XmlNodeType.EndElement && _reader.Depth == parentDepth))
                return false;
        }

        return false;
    }

    /// <summary>Enumerates the names of the children of the element just read, after its attributes were read.</summary>
    public IEnumerable<string> Children()
    {
        int depth = EnterElement();
        while (ReadChild(depth))
            yield return Name;
    }

    /// <summary>Enters the element just read, after its attributes were read.</summary>
    /// <returns>Argument for <see cref="ReadChild"/>; -1 for an element that is empty by its tag.</returns>
    public int EnterElement()
    {
        _reader.MoveToElement();
        return _reader.IsEmptyElement ? -1 : _reader.Depth;
    }

    /// <summary>Skips the element just read with all of its content.</summary>
    public void SkipElement()
    {
        int depth = EnterElement();
        while (depth >= 0 && (ReadTag() != XmlNodeType.EndElement || _reader.Depth != depth))
        {
        }
    }

    /// <summary>Returns the value of an attribute; null when the element has none of this name.</summary>
    public string? Attribute(string name) => _reader.GetAttribute(name);

    /// <summary>Moves to the next attribute of the element: false after the last.</summary>
    public bool ReadAttribute(out string name, out string value)
    {
        bool found = _reader.MoveToNextAttribute();
        (name, value) = found ? (_reader.Name, _reader.Value) : ("", "");
        return found;
    }

    /// <summary>Creates the error to throw about the tag just read.</summary>
    public SetupException Error(string what) => ErrorAt(Line, what);

    /// <summary>Creates the error to throw about a line read before.</summary>
    public SetupException ErrorAt(int line, string what) => new(SetupProblem.InputFile, Message(line, what));

    /// <summary>Formats a sentence about a line, for a warning.</summary>
    public string Message(int line, string what) => $"{PrintableText.From(_name, PrintableText.MaxLineChars)}({line}): {Subject}{what}";

    public void Dispose()
    {
        _reader.Dispose();
        _file?.Dispose();
    }

    // The parser refuses a DTD without giving a line, and likewise the end of a file that has nothing but comments.
    private static string WithoutLine(XmlException problem) =>
        problem.Message.Contains("DTD", StringComparison.Ordinal) ? "a DTD is not allowed here" : "there is no element in it";

    private XmlNodeType ReadTag()
    {
        try
        {
            _reader.Read();
            return _reader.NodeType;
        }
        catch (XmlException e)
        {
            if (_isEmpty)
                throw FileErrors.Empty(_name);
            string sentence = e.LineNumber == 0 ? WithoutLine(e) : e.Message.Split(" Line ", 2)[0];
            throw new SetupException(SetupProblem.InputFile,
                Message(Math.Max(e.LineNumber, Math.Max(Line, 1)), PrintableText.From(sentence)), e);
        }
        catch (IOException e)
        {
            throw FileErrors.Unreadable(_name, e);
        }
    }
}
