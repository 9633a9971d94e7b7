using System.Globalization;

namespace PerfCommon.MsgData;

/// <summary>How large one message of the file is, as the tools show it when a connection is up.</summary>
/// <param name="Label">Class and number: <c>MarketPrice UpdateMsg 1</c>.</param>
/// <param name="EstimatedBytes">By the family's rule of thumb, see <see cref="FieldListTemplate.EstimatedBytes"/>.</param>
/// <param name="EncodedBytes">As encoded without time stamp, for item RDT0 of service 0.</param>
internal readonly record struct MessageSize(string Label, int EstimatedBytes, int EncodedBytes)
{
    /// <summary>Writes the block "Approximate message sizes"; nothing when there is no message.</summary>
    public static void WriteBlock(TextWriter writer, IReadOnlyCollection<MessageSize> sizes)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(sizes);
        if (sizes.Count == 0)
            return;

        writer.Write("Approximate message sizes:\n");
        foreach (MessageSize size in sizes)
        {
            writer.Write(string.Create(
                CultureInfo.InvariantCulture,
                $"  {size.Label}:\n         estimated length: {size.EstimatedBytes} bytes\n    approx encoded length: {size.EncodedBytes} bytes\n"));
        }
    }
}
