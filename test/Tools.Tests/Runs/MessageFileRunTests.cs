using System.Text.RegularExpressions;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>
/// A message file of the vendor's shape, which announces 70 fields of its image and has 83: every program that reads one runs with it.
/// </summary>
public partial class MessageFileRunTests
{
    private const string Warning = "entryCount is 70, found 83: only the first 70 are used";
    private const string SizeOf70Fields = "approx encoded length: 413 bytes";

    [Fact]
    public void ConsPerfAndProvPerf_CountBelowTheFields_RunWithTheFirst70()
    {
        using RunFolder folder = new();
        TakeVendorShape(folder);
        RunningTool provider = folder.StartProvider("-msgFile Vendor.xml -updateRate 5000");
        RunningTool consumer = folder.RunConsumer(provider,
            "-msgFile Vendor.xml -itemCount 300 -postingRate 5000 -genericMsgRate 1000 -steadyStateTime 12");
        consumer.ExpectExit(0);
        provider.Signal(RunningTool.Terminate);
        provider.ExpectExit(143, "SIGTERM");

        ExpectOneWarning(provider);
        ExpectOneWarning(consumer);
        Assert.Contains(SizeOf70Fields, provider.Output, StringComparison.Ordinal);
        Assert.Equal(300, folder.Final("prov.json").Count("imagesSent"));
        Assert.Equal(300, folder.Final("cons.json").Count("refreshesReceived"));
        Assert.InRange(folder.Final("cons.json").Count("postsSent"), 1, long.MaxValue);
    }

    [Fact]
    public void NIProvPerf_CountBelowTheFields_RunsWithTheFirst70()
    {
        using RunFolder folder = new();
        using TestHub hub = new();
        TakeVendorShape(folder);
        RunningTool publisher = folder.Start("NIProvPerf",
            $"-p {hub.Port} -msgFile Vendor.xml -jsonFile niprov.json -itemCount 300 -updateRate 5000 -runTime 12");
        publisher.ExpectExit(0);

        ExpectOneWarning(publisher);
        Assert.Contains(SizeOf70Fields, publisher.Output, StringComparison.Ordinal);
        Assert.Equal(300, folder.Final("niprov.json").Count("imagesSent"));
        Assert.Empty(Assert.Single(hub.End()).Faults);
    }

    [Theory]
    [InlineData("ProvPerf", "-p 0")]
    [InlineData("NIProvPerf", "")]
    [InlineData("ConsPerf", "-postingRate 1000")]
    public void Start_CountAboveTheFields_NamesFileAndBothNumbers(string tool, string options)
    {
        using RunFolder folder = new();
        folder.Take("MsgData.xml", text => text.Replace("entryCount=\"70\"", "entryCount=\"83\"", StringComparison.Ordinal),
            "Short.xml");
        RunningTool process = folder.Start(tool, $"{options} -msgFile Short.xml");
        process.ExpectExit(3, "Short.xml(9): entryCount is 83, found 70");
    }

    // Thirteen fields more in the image, of ids that our dictionary lacks.
    private static void TakeVendorShape(RunFolder folder) =>
        folder.Take("MsgData.xml", text => EndOfFields().Replace(text, more => string.Concat(
            Enumerable.Range(20_000, 13).Select(id => $"<fieldEntry fieldId=\"{id}\" dataType=\"RSSL_DT_UINT\" data=\"1\"/>\n")) + more.Value, 1),
            "Vendor.xml");

    private static void ExpectOneWarning(RunningTool process) =>
        Assert.EndsWith($"Vendor.xml(9): {Warning}", Assert.Single(process.Output.Split('\n'), line => line.StartsWith("Warning: ", StringComparison.Ordinal)),
            StringComparison.Ordinal);

    [GeneratedRegex("</fieldList>")]
    private static partial Regex EndOfFields();
}
