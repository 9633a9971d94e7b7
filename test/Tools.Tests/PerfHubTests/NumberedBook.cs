using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfCommon.Workers;

namespace Tools.Tests.PerfHubTests;

/// <summary>
/// An order book determined by its number: n has the orders n - 2, n - 1 and n, and the next one adds one, updates one and deletes one.
/// </summary>
internal static class NumberedBook
{
    public const int MaxBytes = 256;

    private const ulong Constant = 7;
    private const ulong Depth = 3;

    /// <summary>Writes the whole book.</summary>
    public static void WriteImage(ref RwfWriter writer, ulong number)
    {
        Begin(ref writer, number);
        for (ulong order = Math.Max(number, Depth) - Depth + 1; order <= number; order++)
            WriteOrder(ref writer, MapAction.Add, order, Math.Min(order + 1, number));
        writer.EndMap();
    }

    /// <summary>Queues what makes it of the book before.</summary>
    public static bool TrySendUpdate(MessageOutput output, int streamId, ulong number)
    {
        if (!output.TryBegin(MaxBytes, out Span<byte> room))
            return false;
        UpdateHeader.Write(room, DomainType.MarketByOrder, streamId, DataType.Map, UpdateType.Unspecified);
        RwfWriter writer = new(room[UpdateHeader.Length..]);
        Begin(ref writer, number);
        WriteOrder(ref writer, MapAction.Add, number, number);
        if (number > 1)
            WriteOrder(ref writer, MapAction.Update, number - 1, number);
        if (number > Depth)
            WriteOrder(ref writer, MapAction.Delete, number - Depth, number);
        writer.EndMap();
        output.End(UpdateHeader.Length + writer.Written, MessageKind.Update);
        return true;
    }

    /// <summary>Merges a map into a book that is kept.</summary>
    /// <returns>The number it has then; 0 when it is none of these books.</returns>
    public static ulong Apply(ReadOnlySpan<byte> map, Dictionary<ulong, Dictionary<short, ulong>> book)
    {
        if (MapReader.TryOpen(map, out MapReader reader) != DecodeResult.Success)
            return 0;
        Dictionary<short, ulong> summary = [];
        Merge(reader.Shared.Summary, summary);
        while (reader.TryReadNext(out MapEntry entry) == DecodeResult.Success)
        {
            RwfPrimitives.TryReadUInt(entry.Key, out ulong order);
            if (entry.Action != MapAction.Update)
                book.Remove(order);
            if (entry.Action != MapAction.Delete)
                Merge(entry.Content, book.TryGetValue(order, out Dictionary<short, ulong>? fields) ? fields : book[order] = []);
        }

        ulong number = summary.GetValueOrDefault(NumberProvider.Number);
        return IsBook(book, number) ? number : 0;
    }

    private static bool IsBook(Dictionary<ulong, Dictionary<short, ulong>> book, ulong number) =>
        book.Count == (int)Math.Min(number, Depth)
        && book.All(order => order.Key <= number && order.Key + Depth > number && order.Value.Count == 2
            && order.Value[NumberProvider.Number] == Math.Min(order.Key + 1, number) && order.Value[NumberProvider.Constant] == Constant);

    private static void Begin(ref RwfWriter writer, ulong number)
    {
        writer.BeginMap(DataType.UInt, DataType.FieldList);
        writer.BeginSummary();
        writer.BeginFieldList();
        writer.WriteUIntField(NumberProvider.Number, number);
        writer.EndFieldList();
        writer.EndSummary();
    }

    private static void WriteOrder(ref RwfWriter writer, MapAction action, ulong order, ulong number)
    {
        writer.BeginMapEntry(action, order);
        if (action != MapAction.Delete)
        {
            writer.BeginFieldList();
            writer.WriteUIntField(NumberProvider.Number, number);
            if (action == MapAction.Add)
                writer.WriteUIntField(NumberProvider.Constant, Constant);
            writer.EndFieldList();
        }

        writer.EndEntry();
    }

    private static void Merge(ReadOnlySpan<byte> list, Dictionary<short, ulong> fields)
    {
        FieldListReader.TryOpen(list, out FieldListReader reader);
        while (reader.TryReadNext(out FieldEntry entry) == DecodeResult.Success)
            fields[entry.FieldId] = RwfPrimitives.TryReadUInt(entry.Content, out ulong value) == DecodeResult.Success ? value : 0;
    }
}

/// <summary>A provider of such books: the next one of each item in every turn.</summary>
internal sealed class BookProvider : ProviderHandler
{
    private readonly Dictionary<string, ulong> _last = [];

    protected internal override bool WantsTicks => true;

    protected internal override int MaxRefreshBytes => NumberedBook.MaxBytes;

    public static ProviderSession CreateSession() => new(
        new ProviderSessionOptions
        {
            Service = new ServiceOffer { Name = NumberProvider.ServiceName, Id = 1, HasOrderBooks = true },
            Dictionary = FieldDictionary.Default,
        }, new BookProvider());

    protected internal override void EncodeRefresh(int item, ref RwfWriter writer) =>
        NumberedBook.WriteImage(ref writer, _last.TryAdd(NameOf(item), 1) ? 1 : _last[NameOf(item)]);

    protected internal override bool OnTick(in TickInfo tick)
    {
        for (int i = 0; i < Session.UpdatingItems; i++)
        {
            int item = Session.UpdatingItemAt(i);
            if (NumberedBook.TrySendUpdate(Session.Output, Session.Items.StreamIdOf(item), _last[NameOf(item)] + 1))
                _last[NameOf(item)]++;
        }

        return true;
    }

    private string NameOf(int item) => System.Text.Encoding.ASCII.GetString(Session.NameOf(item));
}

/// <summary>A non-interactive provider of such books, and of numbers for its items of market price.</summary>
internal sealed class BookPublisher : PublisherHandler
{
    private readonly Dictionary<int, ulong> _last = [];

    protected internal override bool WantsTicks => true;

    protected internal override int MaxRefreshBytes => NumberedBook.MaxBytes;

    protected internal override void EncodeRefresh(int item, ref RwfWriter writer)
    {
        _last.TryAdd(item, 1);
        if (Session.Items.IsOrderBook(item))
            NumberedBook.WriteImage(ref writer, _last[item]);
        else
            NumberProvider.WriteImage(ref writer, _last[item]);
    }

    protected internal override bool OnTick(in TickInfo tick)
    {
        for (int i = 0; i < Session.UpdatingItems; i++)
        {
            int item = Session.UpdatingItemAt(i);
            ulong next = _last[item] + 1;
            bool isSent = Session.Items.IsOrderBook(item)
                ? NumberedBook.TrySendUpdate(Session.Output, Session.Items.StreamIdOf(item), next)
                : Session.TrySendUpdate(item, Fields.None, next);
            if (isSent)
                _last[item] = next;
        }

        return true;
    }
}

/// <summary>A consumer that keeps each book, and checks it after every message for it.</summary>
internal sealed class BookConsumer : ConsumerHandler
{
    private readonly Dictionary<int, (ulong Number, Dictionary<ulong, Dictionary<short, ulong>> Orders)> _books = [];

    /// <summary>What came that must not.</summary>
    public List<string> Faults { get; } = [];

    public int Images { get; private set; }

    public int TemporaryImages { get; private set; }

    public int Updates { get; private set; }

    public ulong LastOf(int item) => _books.GetValueOrDefault(item).Number;

    protected internal override void OnRefresh(int item, scoped in RwfMsg refresh)
    {
        if (refresh.DomainType != DomainType.MarketByOrder || refresh.ContainerType != DataType.Map)
            Faults.Add($"a refresh of {refresh.DomainType}");
        if (refresh.State.DataState != DataState.Ok)
        {
            TemporaryImages++;
            return;
        }

        Images++;
        Dictionary<ulong, Dictionary<short, ulong>> orders = [];
        ulong number = NumberedBook.Apply(refresh.Payload, orders);
        if (number == 0 || number < LastOf(item))
            Faults.Add($"image {number} of item {item} after {LastOf(item)}");
        _books[item] = (number, orders);
    }

    protected internal override void OnUpdate(int item, scoped in UpdateHeader update)
    {
        Updates++;
        if (!_books.TryGetValue(item, out (ulong Number, Dictionary<ulong, Dictionary<short, ulong>> Orders) book))
        {
            Faults.Add($"an update of item {item} before its image");
            return;
        }

        ulong number = NumberedBook.Apply(update.Payload, book.Orders);
        if (number != book.Number + 1)
            Faults.Add($"update {number} of item {item} after {book.Number}");
        _books[item] = (number, book.Orders);
    }
}
