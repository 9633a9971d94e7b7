using System.Diagnostics;
using PerfCommon.Domains;

namespace PerfCommon.MsgData;

/// <summary>The messages of a run: read once and checked against the field dictionary, or made in code.</summary>
/// <remarks>Immutable: all threads of a run share it.</remarks>
[DebuggerDisplay("{Name}: {Updates.Count} updates, {Posts.Count} posts, {Generics.Count} generic messages")]
public sealed partial class MessageData
{
    internal MessageData(string name, MessageList<FieldListTemplate> prices, IReadOnlyList<string> warnings)
    {
        (Name, Prices, Warnings) = (name, prices, warnings);
    }

    /// <summary>What errors call the file that was read; empty when the messages were made in code.</summary>
    public string Name { get; }

    /// <summary>The image of every item.</summary>
    public FieldListTemplate Refresh => Prices.Refresh;

    /// <summary>The updates, at least one, sent in turn.</summary>
    public IReadOnlyList<FieldListTemplate> Updates => Prices.Updates;

    /// <summary>What the consumer posts; may be empty.</summary>
    public IReadOnlyList<FieldListTemplate> Posts => Prices.Posts;

    /// <summary>The generic messages; may be empty.</summary>
    public IReadOnlyList<FieldListTemplate> Generics => Prices.Generics;

    /// <summary>What was passed over while reading, each a sentence with file and line fit to print.</summary>
    public IReadOnlyList<string> Warnings { get; }

    /// <summary>The messages of market price.</summary>
    internal MessageList<FieldListTemplate> Prices { get; }

    /// <summary>The messages of market by order; null when there are none.</summary>
    internal MessageList<FieldMapTemplate>? OrderBooks { get; init; }

    /// <summary>Our own messages: an image of 70 fields; two updates, two posts and two generic messages of 23 fields each.</summary>
    /// <param name="dictionary">Says which fields exist and what their types are.</param>
    /// <exception cref="SetupException">The dictionary lacks a field of the messages or has another type for it.</exception>
    public static MessageData Default(FieldDictionary dictionary)
    {
        using Stream stream = ShippedFiles.Open(ShippedFiles.Messages);
        return Load(stream, ShippedFiles.Messages, dictionary);
    }

    /// <summary>Reads a message file.</summary>
    /// <param name="path">
    /// The file; a bare name is looked for in the working directory and in the folder of the program. <c>MsgData.xml</c> that is in neither is our
    /// own.
    /// </param>
    /// <param name="dictionary">Says which fields exist and what their types are.</param>
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
    /// <param name="stream">A text of the form of the file.</param>
    /// <param name="name">What errors call it.</param>
    /// <param name="dictionary">Says which fields exist and what their types are.</param>
    /// <exception cref="SetupException">An error in the text, with its line.</exception>
    public static MessageData Load(Stream stream, string name, FieldDictionary dictionary)
    {
        ArgumentNullException.ThrowIfNull(dictionary);
        using XmlInput input = XmlInput.Open(stream, name);
        return new MessageDataReader(input, dictionary).Read(name);
    }

    /// <summary>Puts messages made in code together.</summary>
    /// <param name="refresh">The image of every item.</param>
    /// <param name="updates">The updates, at least one, sent in turn.</param>
    /// <param name="posts">What a consumer posts; null for nothing.</param>
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

    /// <summary>Demands what posting needs.</summary>
    /// <exception cref="SetupException">The file has no post.</exception>
    public void RequirePosts() => Require(Posts, "postMsg", "posting");

    /// <summary>Demands what sending generic messages needs.</summary>
    /// <exception cref="SetupException">The file has no generic message.</exception>
    public void RequireGenerics() => Require(Generics, "genMsg", "generic messages");

    /// <summary>Demands what items of market by order need.</summary>
    /// <param name="items">The items.</param>
    /// <param name="posting">True when those that are marked for it are posted to.</param>
    /// <param name="generics">True when those that are marked for it get generic messages.</param>
    /// <exception cref="SetupException">The file lacks messages that one of the items needs.</exception>
    internal void RequireOrderBooks(ItemList items, bool posting = false, bool generics = false)
    {
        if (posting && OrderBooks is not { Posts.Count: > 0 } && items.HasOrderBooks(ItemFlags.Post))
            throw NoOrderBooks("<postMsg> in <marketByOrderMsgList>, which posting to items of MarketByOrder");
        if (generics && OrderBooks is not { Generics.Count: > 0 } && items.HasOrderBooks(ItemFlags.GenMsg))
            throw NoOrderBooks("<genMsg> in <marketByOrderMsgList>, which sending generic messages to items of MarketByOrder");
    }

    /// <summary>Demands what publishing items of market by order needs.</summary>
    /// <exception cref="SetupException">The file has none of their messages.</exception>
    internal void RequireOrderBooksOf(ItemList items)
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
