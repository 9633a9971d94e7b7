using PerfCommon.Domains;

namespace PerfCommon.MsgData;

/// <summary>The messages of a run, read once from the message file and checked against the field dictionary.</summary>
/// <remarks>Immutable: all threads of a run share it.</remarks>
public sealed partial class MessageData
{
    internal MessageData(
        string path,
        FieldListTemplate refresh,
        IReadOnlyList<FieldListTemplate> updates,
        IReadOnlyList<FieldListTemplate> posts,
        IReadOnlyList<FieldListTemplate> generics,
        IReadOnlyList<string> warnings)
    {
        Path = path;
        Refresh = refresh;
        Updates = updates;
        Posts = posts;
        Generics = generics;
        Warnings = warnings;
    }

    /// <summary>The file that was read.</summary>
    public string Path { get; }

    /// <summary>The image of every item.</summary>
    public FieldListTemplate Refresh { get; }

    /// <summary>The updates, at least one, sent in turn.</summary>
    public IReadOnlyList<FieldListTemplate> Updates { get; }

    /// <summary>What the consumer posts; may be empty.</summary>
    public IReadOnlyList<FieldListTemplate> Posts { get; }

    /// <summary>The generic messages; may be empty.</summary>
    public IReadOnlyList<FieldListTemplate> Generics { get; }

    /// <summary>What was passed over while reading, each a sentence with file and line fit to print.</summary>
    public IReadOnlyList<string> Warnings { get; }

    /// <summary>Reads a message file.</summary>
    /// <param name="path">The file, as <see cref="InputFile.Find(string)"/> finds it.</param>
    /// <param name="dictionary">Says which fields exist and what their types are.</param>
    /// <exception cref="SetupException">No such file, or an error in it, with its line.</exception>
    public static MessageData Load(string path, FieldDictionary dictionary)
    {
        ArgumentNullException.ThrowIfNull(dictionary);
        string found = InputFile.Find(path);
        using XmlInput input = XmlInput.Open(found);
        return new MessageDataReader(input, dictionary).Read(found);
    }

    /// <summary>Demands what posting needs.</summary>
    /// <exception cref="SetupException">The file has no post.</exception>
    public void RequirePosts() => Require(Posts, "postMsg", "posting");

    /// <summary>Demands what sending generic messages needs.</summary>
    /// <exception cref="SetupException">The file has no generic message.</exception>
    public void RequireGenerics() => Require(Generics, "genMsg", "generic messages");

    private void Require(IReadOnlyList<FieldListTemplate> messages, string element, string purpose)
    {
        if (messages.Count == 0)
            throw new SetupException(SetupProblem.InputFile, $"{PrintableText.From(Path, PrintableText.MaxLineChars)}: has no <{element}>, which {purpose} needs");
    }
}
