using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Tests.Domains;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfHub.Counting;
using PerfHub.FanOut;
using PerfHub.Services;
using PerfHub.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests.Upstream;

/// <summary>
/// A source thread with a service of each kind: of an interactive source, of publishers, and without a source. The test sends the records of the
/// session threads, and reads those that they receive.
/// </summary>
internal sealed class SourceBench : IDisposable
{
    public const int SessionThreads = 3;

    private readonly RingSender[] _toSource;

    public SourceBench(SourceSettings? settings = null)
    {
        Settings = settings ?? new SourceSettings { Services = new ServiceTable() };
        Worker = new Worker(new WorkerOptions(), new WorkerRecording(HubCounter.Schema), new MemoryNetwork(Time));
        SleepFlag flag = new(Worker);
        Host = new UpstreamThread(0, Worker, Settings, [.. Enumerable.Repeat(flag, SessionThreads)]);
        _toSource = [.. Enumerable.Range(0, SessionThreads).Select(_ => Host.AddInput(flag))];
        DictionaryProvider dictionary = new(FieldDictionary.Default);
        ItemOwners owners = new(threads: 1);
        Host.Routes = new PublisherRoutes(Worker, Host, [null])
        {
            Services = Settings.Services,
            Owners = owners,
            OpenLimit = 100,
            Dictionary = dictionary,
        };
        Host.Add(Source);
        Host.Add(Own);
        Feed = Offer("FEED", 11, Source, Source);
        Published = Offer("PUBLISHED", 12, owners, Host.Items.Publishers);
        Unsourced = Offer("OWN", 13, Own, Own);

        ServiceItems Offer(string name, ushort id, object owner, ItemSource source) => Host.Items.Offer(
            [new HubService { Offer = new ServiceOffer { Name = name, Id = id }, Owner = owner, Dictionary = dictionary }], source)[0]!;
    }

    public TimeSource Time { get; } = TimeSource.StartAt(Clock.NanosPerSecond);

    public Worker Worker { get; }

    public SourceSettings Settings { get; }

    public UpstreamThread Host { get; }

    public ScriptedSource Source { get; } = new();

    public NoSource Own { get; } = new();

    /// <summary>The service of the interactive source.</summary>
    public ServiceItems Feed { get; }

    /// <summary>The service of non-interactive providers.</summary>
    public ServiceItems Published { get; }

    /// <summary>The service without a source.</summary>
    public ServiceItems Unsourced { get; }

    public long this[Counter counter] => Worker.Recording.Counters[counter];

    /// <summary>The counters that are not 0, in the order of their names.</summary>
    public string Counts => string.Join(' ', HubCounter.Schema.Counters.Where(counter => this[counter] != 0)
        .Select(counter => $"{HubCounter.Schema.NameOf(counter)}={this[counter]}").Order(StringComparer.Ordinal));

    public void Dispose() => Worker.Dispose();

    /// <summary>The address that the tests use for a stream: its serial follows from its id.</summary>
    public static StreamAddress AddressOf(int streamId, int connection = 7) => new(connection, streamId, (uint)(1_000 + streamId));

    /// <summary>Requests an item on a stream; the source thread handles it.</summary>
    public void Request(int session, ServiceItems service, int streamId, string name, ItemRequestMarks marks = ItemRequestMarks.Streaming, int view = 0) =>
        Send(session, SessionRecord.Request, service.Service.Key.Number, Asked(streamId, name, marks, view));

    /// <summary>Repeats the request of a stream that watches a slot.</summary>
    public void Reissue(int session, int slot, int streamId, string name, ItemRequestMarks marks = ItemRequestMarks.Streaming, int view = 0) =>
        Send(session, SessionRecord.Reissue, slot, Asked(streamId, name, marks, view));

    /// <summary>Sends a record that consists of an address and a message.</summary>
    public void SendMessage(int session, SessionRecord kind, int number, int streamId, byte[] message)
    {
        byte[] record = new byte[StreamAddress.Bytes + message.Length];
        AddressOf(streamId).Write(record);
        message.CopyTo(record, StreamAddress.Bytes);
        Send(session, kind, number, record);
    }

    public void Send(int session, SessionRecord kind, int number, byte[] record)
    {
        Queue(session, kind, number, record);
        Host.Work();
    }

    /// <summary>Sends a record that the source thread handles in its next turn.</summary>
    public void Queue(int session, SessionRecord kind, int number, byte[] record)
    {
        _toSource[session].Send(kind, number, record);
        _toSource[session].Publish();
    }

    /// <summary>Delivers a message of the source to an item.</summary>
    public void Deliver(CachedItem item, byte[] message) => Assert.True(Host.Receiver.Receive(item, Wire.Decode(message)));

    /// <summary>Delivers a complete image with one field.</summary>
    public void DeliverImage(CachedItem item, short field = 22, byte value = 1, bool isOk = true) =>
        Deliver(item, Image(HostileMessages.List(field, 1, value: value), isOk ? DataState.Ok : DataState.Suspect));

    /// <summary>Delivers an update of one field.</summary>
    public void DeliverUpdate(CachedItem item, short field = 22, byte value = 2, UpdateType type = UpdateType.Quote) =>
        Deliver(item, Update(HostileMessages.List(field, 1, value: value), type));

    public static byte[] Image(byte[] list, DataState data = DataState.Ok, int flags = RefreshFlags.RefreshComplete) => Wire.Encode(new RwfMsg
    {
        MsgClass = MsgClass.Refresh,
        DomainType = DomainType.MarketPrice,
        StreamId = 101,
        Flags = flags,
        ContainerType = DataType.FieldList,
        State = new RwfState(StreamState.Open, data),
        GroupId = DomainMsg.GroupId,
        Payload = list,
    });

    public static byte[] Update(byte[] list, UpdateType type = UpdateType.Quote) => Wire.Encode(new RwfMsg
    {
        MsgClass = MsgClass.Update,
        DomainType = DomainType.MarketPrice,
        StreamId = 101,
        ContainerType = DataType.FieldList,
        UpdateType = type,
        Payload = list,
    });

    public static byte[] Status(StreamState stream, DataState data = DataState.Suspect, DomainType domain = DomainType.MarketPrice) =>
        Wire.Encode(Wire.Status(domain, 101, stream, data));

    /// <summary>The records that a session thread has received since the last call, without those of receive times.</summary>
    public List<(SourceRecord Kind, int Slot, byte[] Bytes)> Read(int session) =>
        [.. ReadAll(session).Where(record => record.Kind != SourceRecord.Received)];

    /// <summary>The records that a session thread has received since the last call.</summary>
    public List<(SourceRecord Kind, int Slot, byte[] Bytes)> ReadAll(int session)
    {
        List<(SourceRecord, int, byte[])> records = [];
        ByteRing ring = Host.Broadcaster.Rings[session];
        ring.Publish();
        while (ring.TryRead(out RingRecord record))
            records.Add(((SourceRecord)record.Kind, record.Number, record.Bytes.ToArray()));
        ring.Release();
        return records;
    }

    /// <summary>
    /// The only record that a session thread has received, which begins with an address: its kind, slot and address, and the message after it.
    /// </summary>
    public (SourceRecord Kind, int Slot, StreamAddress Address, byte[] Message) ReadAddressed(int session)
    {
        (SourceRecord kind, int slot, byte[] bytes) = Assert.Single(Read(session));
        return (kind, slot, StreamAddress.Read(bytes), bytes[StreamAddress.Bytes..]);
    }

    /// <summary>The names of the records that a session thread has received.</summary>
    public string Kinds(int session) => string.Join(' ', Read(session).Select(record => record.Kind));

    /// <summary>Finds the shared item of a name.</summary>
    public CachedItem? Find(ServiceItems service, string name, DomainType domain = DomainType.MarketPrice) =>
        Host.Items.Table.Find(service, Encoding.ASCII.GetBytes(name), domain);

    /// <summary>Creates an item of the service of publishers, neither published nor requested yet.</summary>
    public CachedItem Create(string name) => Host.Items.Create(Published, Encoding.ASCII.GetBytes(name), DomainType.MarketPrice);

    /// <summary>Publishes an item, as a non-interactive provider does.</summary>
    public CachedItem Publish(string name, DomainType domain = DomainType.MarketPrice) =>
        Host.Items.Publish(Published, Encoding.ASCII.GetBytes(name), domain);

    /// <summary>Describes a message: its class, stream, flags that matter to consumers, state, quality and name.</summary>
    public static string Describe(byte[] message)
    {
        if (message.Length == 0)
            return "";
        RwfMsg msg = Wire.Decode(message);
        string text = $"{msg.MsgClass} {msg.StreamId}";
        if (msg.MsgClass == MsgClass.Refresh)
        {
            text += $" {msg.State.StreamState}/{msg.State.DataState} {Encoding.ASCII.GetString(msg.Key.Name)}@{msg.Key.ServiceId}"
                + Marks((RefreshFlags.Solicited, "solicited"), (RefreshFlags.ClearCache, "clear"), (RefreshFlags.RefreshComplete, "complete"),
                    (RefreshFlags.PrivateStream, "private"))
                + (msg.Key.Has(MsgKeyFlags.HasNameType) ? " typed" : "");
        }
        else if (msg.MsgClass == MsgClass.Status)
        {
            text += $" {msg.State.StreamState}/{msg.State.DataState}/{msg.State.Code} {Encoding.ASCII.GetString(msg.State.Text)}"
                + (msg.Has(StatusFlags.PrivateStream) ? " private" : "");
        }
        else if (msg.MsgClass == MsgClass.Ack)
        {
            text += $" {msg.AckId}" + (msg.Has(AckFlags.HasSeqNum) ? $" #{msg.SeqNum}" : "") + (msg.Has(AckFlags.HasNakCode) ? $" {msg.NakCode}" : "")
                + (msg.Has(AckFlags.PrivateStream) ? " private" : "");
        }

        return text + (msg.ContainerType == DataType.FieldList && msg.MsgClass != MsgClass.Ack ? $" [{Fields(message)}]" : "");

        string Marks(params (int Flag, string Name)[] marks)
        {
            RwfMsg decoded = Wire.Decode(message);
            string found = "";
            foreach ((int flag, string name) in marks)
                found += decoded.Has(flag) ? $" {name}" : "";
            return found;
        }
    }

    /// <summary>The messages of an image in parts, each of which follows its length.</summary>
    public static List<byte[]> Split(ReadOnlySpan<byte> bytes)
    {
        List<byte[]> parts = [];
        while (!bytes.IsEmpty)
        {
            int length = BitConverter.ToInt32(bytes);
            parts.Add(bytes.Slice(sizeof(int), length).ToArray());
            bytes = bytes[(sizeof(int) + length)..];
        }

        return parts;
    }

    /// <summary>The fields of a message with a field list, each with its first byte, by their ids.</summary>
    public static string Fields(byte[] message) => string.Join(' ',
        HostileMessages.Read(Wire.Decode(message).Payload).OrderBy(field => field.Key).Select(field =>
            $"{field.Key}={(field.Value.Length > 0 ? field.Value[0] : -1)}"));

    private static byte[] Asked(int streamId, string name, ItemRequestMarks marks, int view)
    {
        byte[] room = new byte[RequestedItem.MaxBytes];
        return room[..new RequestedItem(AddressOf(streamId), marks, Encoding.ASCII.GetBytes(name), view).Write(room)];
    }
}
