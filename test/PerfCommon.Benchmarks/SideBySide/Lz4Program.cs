using K4os.Compression.LZ4;
using PerfCommon.Benchmarks.Regression;
using PerfCommon.Benchmarks.Runs;
using PerfCommon.Transport.Compression;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace PerfCommon.Benchmarks.SideBySide;

/// <summary><c>lz4</c>: compares our blocks with liblz4's, on the same bodies in turn on the same thread.</summary>
internal static class Lz4Program
{
    private const int Rounds = 20;
    private static readonly int[] UpdateBytes = [1536, 6000];
    private static readonly int[] PackSizes = [20, 50, 77];

    public static int Run(string[] args, TextWriter output, TextWriter error) =>
        ToolProgram.Run("lz4", () => new OptionTable<object>("lz4", new object(), _ => null), args, output, error,
            (_, host) => Compare(host));

    private static RunOutcome Compare(RunHost host)
    {
        if (!LibLz4.IsHere)
        {
            host.Console.WriteLine("lz4: skipped, liblz4.so.1 is not installed");
            return RunOutcome.Success;
        }

        RegressionProgram.RequireNoTiering();
        host.Console.Write(MachineHead.WriteMachine);
        host.Console.Write(writer => writer.Line(
            $"{"time as a multiple of liblz4's, median of 20 rounds",-44}  encode  decode   bytes  liblz4's"));
        foreach ((string name, byte[] body) in CreateBodies().TakeWhile(_ => host.Signals.Code is null))
            host.Console.Write(writer => Compare(writer, name, body));
        return RunOutcome.Success;
    }

    private static IEnumerable<(string Name, byte[] Body)> CreateBodies()
    {
        yield return ($"a message of {Samples.MessageBytes} bytes", Samples.CreatePackedMessages(1)[sizeof(ushort)..]);
        yield return ($"{Samples.MessageBytes} bytes of an update", Samples.CreateStructured(Samples.MessageBytes));
        foreach (int messages in PackSizes)
        {
            byte[] body = Samples.CreatePackedMessages(messages);
            yield return ($"a pack of {messages} messages, {body.Length} bytes", body);
        }

        foreach (int bytes in UpdateBytes)
            yield return ($"a pack of updates, {bytes} bytes", Samples.CreatePackedUpdates(bytes));
    }

    private static void Compare(TextWriter writer, string name, byte[] body)
    {
        using Lz4BlockEncoder encoder = new();
        byte[] room = new byte[LZ4Codec.MaximumOutputSize(body.Length)];
        byte[] ours = room[..encoder.Encode(body, room)];
        byte[] theirs = room[..LibLz4.Encode(body, room)];
        byte[] back = new byte[body.Length];
        double encode = Ratio(
            times =>
            {
                for (int i = 0; i < times; i++)
                    HotCases.Check(LibLz4.Encode(body, room) == theirs.Length);
            },
            times =>
            {
                for (int i = 0; i < times; i++)
                    HotCases.Check(encoder.Encode(body, room) > 0);
            });
        double decode = Ratio(
            times =>
            {
                for (int i = 0; i < times; i++)
                    HotCases.Check(LibLz4.Decode(theirs, back) == body.Length);
            },
            times =>
            {
                for (int i = 0; i < times; i++)
                    HotCases.Check(Lz4BlockDecoder.Decode(theirs, back) == body.Length); // the same block
            });
        writer.Line($"{name,-44}  {encode,6:F2}  {decode,6:F2}  {ours.Length,6}  {theirs.Length,8}");
    }

    private static double Ratio(Action<int> theirs, Action<int> ours)
    {
        RatioRounds rounds = new(theirs, ours);
        return MedianInterval.MedianOf(Enumerable.Range(0, Rounds).Select(_ => rounds.Measure()))!.Value;
    }
}
