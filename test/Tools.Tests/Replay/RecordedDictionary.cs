using PerfCommon.Codec;
using PerfCommon.Domains;

namespace Tools.Tests.Replay;

/// <summary>Assembles the dictionary that a provider sent.</summary>
internal static class RecordedDictionary
{
    /// <summary>The dictionary in these messages; null when they do not hold a whole one.</summary>
    public static FieldDictionary? Find(IEnumerable<byte[]> messages)
    {
        DictionaryConsumer consumer = new(serviceId: 1);
        foreach (byte[] bytes in messages)
        {
            if (RwfMsg.TryDecode(bytes, out RwfMsg msg) != DecodeResult.Success || msg.DomainType != DomainType.Dictionary
                || msg.MsgClass != MsgClass.Refresh)
            {
                continue;
            }

            msg.StreamId = msg.Key.Name.SequenceEqual(DictionaryNames.Fields) ? StreamIds.FieldDictionary : StreamIds.EnumDictionary;
            consumer.Receive(msg);
        }

        return consumer.Dictionary;
    }

    /// <summary>All that a dictionary defines, a line each.</summary>
    public static IEnumerable<string> Lines(FieldDictionary dictionary) =>
        dictionary.Definitions.Select(definition => $"{definition}")
            .Concat(dictionary.EnumTables.Select(table =>
                $"{string.Join(',', table.Fids)}: {string.Join(',', table.Values.Select(value => $"{value.Value} {Convert.ToHexString(value.Display.Span)}"))}"));
}
