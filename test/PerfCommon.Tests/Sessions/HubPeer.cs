using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Workers;

namespace PerfCommon.Tests.Sessions;

/// <summary>A hub's end of a publisher's connection: answers the login, receives directory, images and updates, and counts them.</summary>
/// <remarks>Its properties are read by the thread that runs its worker's turns, or after the worker has ended.</remarks>
internal sealed class HubPeer : Connection
{
    private readonly byte[] _room = new byte[8_192];
    private readonly LoginProvider _login = new(new LoginOffer { ApplicationName = "Hub", Position = "127.0.0.1/hub" });
    private readonly FieldListDecoder _decoder = new(FieldDictionary.Default.Types, StampFields.First, StampFields.Count);
    private readonly HashSet<int> _streams = [];
    private readonly Dictionary<int, long> _counts = [];

    /// <summary>Text of the status that refuses the login; null accepts it.</summary>
    public string? Refusal { get; set; }

    /// <summary>True leaves the login without an answer.</summary>
    public bool IsSilent { get; init; }

    /// <summary>The publisher that logged in; null before the login.</summary>
    public LoginAttributes? Publisher { get; private set; }

    /// <summary>Streams of the directory refreshes.</summary>
    public List<int> Directories { get; } = [];

    /// <summary>The service that was announced.</summary>
    public ServiceInfo Service { get; private set; } = new();

    /// <summary>Name and stream of every image, in order.</summary>
    public List<(string Name, int StreamId)> Images { get; } = [];

    public long Updates { get; private set; }

    public long Stamped { get; private set; }

    /// <summary>The latest stamp; 0 before the first.</summary>
    public ulong LastStamp { get; private set; }

    /// <summary>Sizes of the updates, each once.</summary>
    public HashSet<int> UpdateSizes { get; } = [];

    /// <summary>Updates whose first field, a number, was not one more than that of the message before them.</summary>
    public long CountsOutOfOrder { get; private set; }

    /// <summary>Messages that should not have arrived; at most one of a kind.</summary>
    public HashSet<string> Faults { get; } = [];

    /// <summary>Sends the refresh that accepts the login, or the status that refuses it; call it after a login.</summary>
    public void AnswerLogin() => Say(Refusal is null ? _login.EncodeRefresh(_room) : EncodeRefusal(Refusal));

    /// <summary>Sends any message.</summary>
    public void Say(ReadOnlySpan<byte> message)
    {
        Output.TrySend(message, MessageKind.Other);
        Channel.Flush();
    }

    internal override void OnOpened(long nowNanos)
    {
    }

    internal override void OnReadable(long untilNanos)
    {
        while (Channel.TryRead(out ReadOnlySpan<byte> message))
            Take(message);
    }

    private void Say(int bytes) => Say(_room.AsSpan(0, bytes));

    private int EncodeRefusal(string text) => DomainMsg.EncodeStatus(
        _room, DomainType.Login, StreamIds.Login,
        new RwfState(StreamState.Closed, DataState.Suspect, StateCode.NotEntitled, Encoding.ASCII.GetBytes(text)));

    private void Take(ReadOnlySpan<byte> message)
    {
        if (RwfMsg.TryDecode(message, out RwfMsg msg) != DecodeResult.Success)
            Faults.Add("a message that cannot be decoded");
        else if (msg.DomainType == DomainType.Login)
            TakeLogin(msg);
        else if (Refusal is not null || Publisher is null)
            Faults.Add($"{msg.DomainType} {msg.MsgClass} without a login");
        else if (msg is { DomainType: DomainType.Source, MsgClass: MsgClass.Refresh })
            TakeDirectory(msg);
        else if (msg.DomainType == DomainType.MarketPrice && Directories.Count > 0)
            TakeItem(msg);
        else
            Faults.Add($"unexpected {msg.DomainType} {msg.MsgClass}");
    }

    private void TakeLogin(scoped in RwfMsg msg)
    {
        if (_login.Receive(msg).Step != ConversationStep.Send)
        {
            Faults.Add($"unexpected login {msg.MsgClass}");
            return;
        }

        Publisher = _login.Consumer;
        if (!IsSilent)
            AnswerLogin();
    }

    private void TakeDirectory(scoped in RwfMsg msg)
    {
        Directories.Add(msg.StreamId);
        Assert(MapReader.TryOpen(msg.Payload, out MapReader map), "a directory without a map");
        Assert(map.TryReadNext(out MapEntry entry), "a directory without a service");
        Assert(RwfPrimitives.TryReadUInt(entry.Key, out ulong id), "a service without an id");
        ServiceInfo service = new() { Id = (ushort)id };
        if (!ServiceEntry.TryApply(entry.Content, ref service))
            Faults.Add("a service that cannot be read");
        Service = service;
    }

    private void TakeItem(scoped in RwfMsg msg)
    {
        Assert(_decoder.Decode(msg.Message, msg.PayloadStart), "fields that cannot be decoded");
        if (msg.MsgClass == MsgClass.Refresh)
        {
            _streams.Add(msg.StreamId);
            _counts[msg.StreamId] = ReadCount(msg);
            Images.Add((Encoding.ASCII.GetString(msg.Key.Name), msg.StreamId));
        }
        else if (msg.MsgClass == MsgClass.Update && _streams.Contains(msg.StreamId))
        {
            Updates++;
            UpdateSizes.Add(msg.Message.Length);
            long count = ReadCount(msg);
            CountsOutOfOrder += count == _counts[msg.StreamId] + 1 ? 0 : 1;
            _counts[msg.StreamId] = count;
            if (_decoder.Kept(StampFields.UpdateIndex) is var stamp and not 0)
                (LastStamp, Stamped) = (stamp, Stamped + 1);
        }
        else
        {
            Faults.Add($"{msg.MsgClass} before the image");
        }
    }

    private static long ReadCount(scoped in RwfMsg msg) =>
        FieldListReader.TryOpen(msg.Payload, out FieldListReader fields) == DecodeResult.Success
            && fields.TryReadNext(out FieldEntry first) == DecodeResult.Success
            && RwfPrimitives.TryReadReal(first.Content, out RwfReal number) == DecodeResult.Success
            ? number.Value : 0;

    private void Assert(DecodeResult result, string fault)
    {
        if (result != DecodeResult.Success)
            Faults.Add(fault);
    }
}
