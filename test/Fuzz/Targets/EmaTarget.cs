using System.Text;
using PerfCommon;
using PerfTools.Hosting.Options;

namespace Fuzz.Targets;

/// <summary>Configurations of the EMA edition.</summary>
internal static class EmaTarget
{
    private sealed record Options : RoleOptions
    {
        public override string? FindProblem() => null;
    }

    private static readonly RoleOptions Defaults = new Options();

    public static void Read(ReadOnlySpan<byte> input, ref FuzzTurns turns)
    {
        try
        {
            EmaConfigFile file = EmaConfigFile.Read("file", input.ToArray());
            foreach (EmaRole role in (EmaRole[])[EmaRole.Consumer, EmaRole.Provider, EmaRole.Publisher])
                file.ReadDefaults(null, role, Defaults);
        }
        catch (SetupException)
        {
            // a sentence with its line: the expected result
        }
    }

    public static IEnumerable<byte[]> CreateSamples() =>
    [
        Encoding.UTF8.GetBytes(
            "<EmaConfig><ConsumerGroup><DefaultConsumer value=\"C\"/><ConsumerList><Consumer><Name value=\"C\"/><Channel value=\"H\"/></Consumer>"
            + "</ConsumerList></ConsumerGroup><ChannelGroup><ChannelList><Channel><Name value=\"H\"/><ChannelType value=\"ChannelType::RSSL_SOCKET\"/>"
            + "<Host value=\"h\"/><Port value=\"14002\"/><CompressionType value=\"None\"/></Channel></ChannelList></ChannelGroup></EmaConfig>"),
        Encoding.UTF8.GetBytes(string.Concat(Enumerable.Repeat("<a>", 40)) + string.Concat(Enumerable.Repeat("</a>", 40))),
    ];
}
