using PerfCommon.MsgData;

namespace PerfTools.Hosting.Reporting;

/// <summary>Writes the sizes of the messages of a file, as the guide's tools print them before a run.</summary>
internal static class MessageSizes
{
    /// <summary>Writes the sizes of a provider's refreshes and updates.</summary>
    public static void WriteOfProvider(TextWriter writer, MessageData messages) => MessageSize.WriteBlock(writer, messages.ProviderSizes());

    /// <summary>Writes the sizes of a consumer's posts and generic messages, as far as it sends them.</summary>
    public static void WriteOfConsumer(TextWriter writer, MessageData messages, bool posts, bool generics) =>
        MessageSize.WriteBlock(writer, messages.ConsumerSizes(posts, generics));
}
