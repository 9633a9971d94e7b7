using PerfCommon.Codec;
using PerfCommon.Domains;

namespace Fuzz.Targets;

/// <summary>Messages as the conversations handle them: login, directory, dictionary, items.</summary>
internal static class DomainTarget
{
    private const int PartBytes = 1_500;
    private const int ReflectionSlack = 64;

    [ThreadStatic]
    private static GuardedBytes? _room;

    private static readonly LoginIdentity Identity = new()
    {
        UserName = "u",
        ApplicationName = "a",
        Position = "p",
        RoundTripLatency = true
    };
    private static readonly LoginOffer Offer = new() { ApplicationName = "a", Position = "p", RoundTripLatency = true };

    public static void ReadLogin(ReadOnlySpan<byte> input, ref FuzzTurns turns)
    {
        if (RwfMsg.TryDecode(input, out RwfMsg msg) != DecodeResult.Success)
            return;
        new LoginConsumer(Identity).Receive(msg);
        LoginProvider provider = new(Offer);
        provider.Receive(msg);
        provider.TryReadRoundTrip(msg, out _);
    }

    public static void ReadDirectory(ReadOnlySpan<byte> input, ref FuzzTurns turns)
    {
        if (RwfMsg.TryDecode(input, out RwfMsg msg) != DecodeResult.Success)
            return;
        DirectoryConsumer consumer = new("DIRECT_FEED", new NoItems());
        consumer.Receive(msg);
        consumer.Receive(msg); // the service is known by now, so its items are notified, too
        new DirectoryListing().Receive(msg);
        new DirectoryProvider(new ServiceOffer { Name = "DIRECT_FEED", Id = 1 }).Receive(msg);
    }

    public static void ReadDictionary(ReadOnlySpan<byte> input, ref FuzzTurns turns)
    {
        if (RwfMsg.TryDecode(input, out RwfMsg msg) != DecodeResult.Success)
            return;
        new DictionaryConsumer(1).Receive(msg);
        new DictionaryProvider(FieldDictionary.Default).Receive(msg, out _);
    }

    public static void ReadItems(ReadOnlySpan<byte> input, ref FuzzTurns turns)
    {
        if (RwfMsg.TryDecode(input, out RwfMsg msg) != DecodeResult.Success)
            return;
        BatchItems names = new(msg.Payload);
        while (names.TryReadNext(out _))
            turns.Take();
        if (msg.MsgClass is MsgClass.Refresh or MsgClass.Status)
            ItemChanges.Of(msg);
        if (msg.MsgClass != MsgClass.Post)
            return;
        Span<byte> room = (_room ??= new GuardedBytes()).Room(PostReflection.MaxBytes(msg));
        FuzzTurns.Demand(PostReflection.Encode(room, msg, 6) <= input.Length + ReflectionSlack, "the reflection is longer than its post");
        PostReflection.EncodeAck(_room.Room(PostReflection.MaxAckBytes), msg, PostRefusal.None);
    }

    public static IEnumerable<byte[]> CreateDictionaryParts()
    {
        foreach ((int streamId, string name) in new[] { (StreamIds.FieldDictionary, "RWFFld"), (StreamIds.EnumDictionary, "RWFEnum") })
        {
            byte[] room = new byte[PartBytes];
            DictionaryAnswer answer = Ask(streamId, name);
            for (int bytes = answer.EncodeNext(room); bytes > 0; bytes = answer.EncodeNext(room))
                yield return room[..bytes];
        }
    }

    private static DictionaryAnswer Ask(int streamId, string name)
    {
        RwfMsg request = new()
        {
            MsgClass = MsgClass.Request,
            DomainType = DomainType.Dictionary,
            StreamId = streamId,
            Key = new MsgKey
            {
                Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName | MsgKeyFlags.HasFilter,
                ServiceId = 1,
                Name = System.Text.Encoding.ASCII.GetBytes(name),
                Filter = DictionaryVerbosity.Normal,
            },
        };
        new DictionaryProvider(FieldDictionary.Default).Receive(request, out DictionaryAnswer? answer);
        return answer!;
    }

    private sealed class NoItems : IServiceItems
    {
        public void SetState(ReadOnlySpan<byte> group, scoped in RwfState state)
        {
            // there are none
        }

        public void MergeGroup(ReadOnlySpan<byte> group, ReadOnlySpan<byte> into)
        {
            // there are none
        }
    }
}
