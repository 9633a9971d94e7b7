using System.Diagnostics;
using PerfCommon.Domains;

namespace PerfCommon.MsgData;

/// <summary>The messages of a run: read once and checked against the field dictionary, or created in code.</summary>
/// <remarks>Immutable: all threads of a run share it.</remarks>
[DebuggerDisplay("{Name}: {Updates.Count} updates, {Posts.Count} posts, {Generics.Count} generic messages")]
public sealed partial class MessageData
{
    internal MessageData(string name, MessageList<FieldListTemplate> prices, IReadOnlyList<string> warnings)
    {
        (Name, Prices, Warnings) = (name, prices, warnings);
    }

    /// <summary>Name of the file in error messages; empty when the messages were created in code.</summary>
    public string Name { get; }

    /// <summary>The image of every item.</summary>
    public FieldListTemplate Refresh => Prices.Refresh;

    /// <summary>The updates, at least one, sent in turn.</summary>
    public IReadOnlyList<FieldListTemplate> Updates => Prices.Updates;

    /// <summary>The posts of the consumer; may be empty.</summary>
    public IReadOnlyList<FieldListTemplate> Posts => Prices.Posts;

    /// <summary>The generic messages; may be empty.</summary>
    public IReadOnlyList<FieldListTemplate> Generics => Prices.Generics;

    /// <summary>Warnings about ignored content, each a printable sentence with file and line.</summary>
    public IReadOnlyList<string> Warnings { get; }

    /// <summary>The messages of market price.</summary>
    internal MessageList<FieldListTemplate> Prices { get; }

    /// <summary>The messages of market by order; null when there are none.</summary>
    internal MessageList<FieldMapTemplate>? OrderBooks { get; init; }

    /// <summary>True when it has messages of market by order.</summary>
    public bool HasOrderBooks => OrderBooks is not null;

    /// <summary>Creates our own messages: an image of 70 fields; two updates, two posts and two generic messages of 23 fields each.</summary>
    /// <param name="dictionary">The dictionary that defines the fields and their types.</param>
    /// <exception cref="SetupException">The dictionary lacks a field of the messages or has another type for it.</exception>
    public static MessageData Default(FieldDictionary dictionary)
    {
        using Stream stream = ShippedFiles.Open(ShippedFiles.Messages);
        return Load(stream, ShippedFiles.Messages, dictionary);
    }

    /// <summary>Reads a message file.</summary>
    /// <param name="path">
    /// The file; a bare name is searched in the working directory and in the folder of the program. If <c>MsgData.xml</c> is in neither, our
    /// own messages are used.
    /// </param>
    /// <param name="dictionary">The dictionary that defines the fields and their types.</param>
    /// <exception cref="SetupException">No such file, or an error in it, with its line.</exception>
    public static MessageData Load(string path, FieldDictionary dictionary)
    {
        ArgumentNullException.ThrowIfNull(dictionary);
        if (path == ShippedFiles.Messages && !InputFile.Exists(path))
            return Default(dictionary);
        string found = InputFile.Find(path);
        using XmlInput input = XmlInput.Open(found);
        return new MessageDataReader(input, dictionary).Read(found);
    }

    /// <summary>Reads a stream, which stays open.</summary>
    /// <param name="stream">A text in the format of the file.</param>
    /// <param name="name">Name in error messages.</param>
    /// <param name="dictionary">The dictionary that defines the fields and their types.</param>
    /// <exception cref="SetupException">An error in the text, with its line.</exception>
    public static MessageData Load(Stream stream, string name, FieldDictionary dictionary)
    {
        ArgumentNullException.ThrowIfNull(dictionary);
        using XmlInput input = XmlInput.Open(stream, name);
        return new MessageDataReader(input, dictionary).Read(name);
    }

    /// <summary>Creates message data from messages created in code.</summary>
    /// <param name="refresh">The image of every item.</param>
    /// <param name="updates">The updates, at least one, sent in turn.</param>
    /// <param name="posts">The posts of a consumer; null for none.</param>
    /// <param name="generics">The generic messages; null for none.</param>
    /// <exception cref="ArgumentException">There is no update.</exception>
    public static MessageData Create(
        FieldListTemplate refresh,
        IEnumerable<FieldListTemplate> updates,
        IEnumerable<FieldListTemplate>? posts = null,
        IEnumerable<FieldListTemplate>? generics = null)
    {
        ArgumentNullException.ThrowIfNull(refresh);
        FieldListTemplate[] inTurn = [.. updates];
        return inTurn.Length > 0
            ? new MessageData("", new(refresh, inTurn, [.. posts ?? []], [.. generics ?? []]), [])
            : throw new ArgumentException("at least one update is needed", nameof(updates));
    }

    /// <summary>Checks that the messages needed for posting exist.</summary>
    /// <exception cref="SetupException">The file has no post.</exception>
    public void RequirePosts() => Require(Posts, "postMsg", "posting");

    /// <summary>Checks that the messages needed for sending generic messages exist.</summary>
    /// <exception cref="SetupException">The file has no generic message.</exception>
    public void RequireGenerics() => Require(Generics, "genMsg", "generic messages");

    /// <summary>Checks that the messages needed for market-by-order items exist.</summary>
    /// <param name="items">The items.</param>
    /// <param name="posting">True when the items marked for posts are posted to.</param>
    /// <param name="generics">True when the items marked for generic messages receive them.</param>
    /// <exception cref="SetupException">The file lacks messages that one of the items needs.</exception>
    public void RequireOrderBooks(ItemList items, bool posting = false, bool generics = false)
    {
        if (posting && OrderBooks is not { Posts.Count: > 0 } && items.HasOrderBooks(ItemFlags.Post))
            throw NoOrderBooks("<postMsg> in <marketByOrderMsgList>, which posting to items of MarketByOrder");
        if (generics && OrderBooks is not { Generics.Count: > 0 } && items.HasOrderBooks(ItemFlags.GenMsg))
            throw NoOrderBooks("<genMsg> in <marketByOrderMsgList>, which sending generic messages to items of MarketByOrder");
    }

    /// <summary>Checks that the messages needed for publishing market-by-order items exist.</summary>
    /// <exception cref="SetupException">The file has none of their messages.</exception>
    public void RequireOrderBooksOf(ItemList items)
    {
        if (OrderBooks is null && items.HasOrderBooks())
            throw NoOrderBooks("<marketByOrderMsgList>, which publishing items of MarketByOrder");
    }

    private SetupException NoOrderBooks(string what) =>
        new(SetupProblem.InputFile, $"{PrintableText.From(Name, PrintableText.MaxLineChars)}: has no {what} needs");

    private void Require(IReadOnlyList<FieldListTemplate> messages, string element, string purpose)
    {
        if (messages.Count == 0)
        {
            throw new SetupException(SetupProblem.InputFile,
                $"{PrintableText.From(Name, PrintableText.MaxLineChars)}: has no <{element}>, which {purpose} needs");
        }
    }
}
