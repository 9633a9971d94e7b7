using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Workers;

namespace PerfCommon.Tests;

/// <summary>Samples for a provider's session, created from the shipped files.</summary>
internal static class SessionSamples
{
    public static FieldDictionary Dictionary { get; } =
        DictionaryFiles.Find(null, null, Path.Combine(AppContext.BaseDirectory, "etc"), null)!.Load();

    public static MessageData Messages { get; } =
        MessageData.Load(Path.Combine(AppContext.BaseDirectory, "Common", "MsgData.xml"), Dictionary);

    public static ServiceOffer Service { get; } = new() { Name = "DIRECT_FEED", Id = 1, OpenLimit = 1_000 };

    public static ProviderSessionOptions Provider { get; } = new()
    {
        Offer = new LoginOffer { ApplicationName = "test", Position = "127.0.0.1/net" },
        Service = Service,
        Dictionary = Dictionary,
    };

    /// <summary>Updates of which some carry a stamp.</summary>
    public static BurstPlan Updates(int rate = 100_000, int stampRate = 10, int tickRate = 1_000,
        LatencyUnit unit = LatencyUnit.Microseconds, int seed = 1) =>
        new(MessageKind.Update, rate, stampRate, tickRate, seed, unit);

    /// <summary>Items on streams 6 and up, each with its image sent.</summary>
    public static ProviderItems OpenItems(int count)
    {
        ProviderItems items = new();
        for (int i = 0; i < count; i++)
        {
            int slot = items.Open(6 + i, System.Text.Encoding.ASCII.GetBytes($"RDT{i + 1}"), ItemTraits.Streaming);
            items.EnqueueRefresh(slot, solicited: true);
            items.TryPeekRefresh(out int due);
            items.RefreshSent(due);
        }

        return items;
    }

    public static (int StreamId, ulong Stamp) ReadUpdate(byte[] message)
    {
        RwfMsg.TryDecode(message, out RwfMsg update);
        FieldListDecoder decoder = new(Dictionary.Types, StampFields.First, StampFields.Count);
        DecodeResult result = decoder.Decode(update.Message, update.PayloadStart);
        Xunit.Assert.Equal((MsgClass.Update, DecodeResult.Success), (update.MsgClass, result));
        return (update.StreamId, decoder.Kept(StampFields.UpdateIndex));
    }
}
