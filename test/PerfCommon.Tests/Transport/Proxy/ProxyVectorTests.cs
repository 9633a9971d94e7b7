using System.Text;
using PerfCommon.Transport;
using PerfCommon.Transport.Proxy;
using Xunit;

namespace PerfCommon.Tests.Transport.Proxy;

/// <summary>Our CONNECT against recorded proxies, answers whole, at every split and byte by byte.</summary>
[Trait("Category", "Vectors")]
public class ProxyVectorTests
{
    private static readonly List<RecordedEntry> All = RecordedEntry.Load("proxy");

    public static TheoryData<string> Sessions => new(All.Select(e => e.Session).Distinct());

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(Sessions))]
    public void Open_RecordedProxy_AsksLikeTheReference(string session)
    {
        List<RecordedEntry> entries = All.FindAll(e => e.Session == session);
        byte[] answers = [.. entries.Where(e => !e.IsFromClient).SelectMany(e => e.Bytes)];
        string[] expected = [.. entries.Where(e => e.IsFromClient).Select(e => Encoding.ASCII.GetString(e.Bytes))];
        for (int split = -1; split < answers.Length; split++)
            Assert.Equal(expected.Select(Essence), Requests(entries, answers, split).Select(Essence));
    }

    private static string[] Requests(List<RecordedEntry> entries, byte[] answers, int split)
    {
        RecordedEntry? login = entries.Find(e => e.Text("user") is not null);
        string[] target = Encoding.ASCII.GetString(entries[0].Bytes).Split(' ')[1].Split(':');
        ProxyOptions options = new() { Host = "proxy", Port = 8080, UserName = login?.Text("user"), Password = login?.Text("password") };
        using PiecesPipe pieces = new([.. answers, .. "behind"u8], split);
        using ProxyPipe pipe = new(pieces, options, new ProxyLogin(), target[0], int.Parse(target[1], null));

        PipeStatus status = PipeStatus.Wait;
        for (int turn = 0; turn < 3 * answers.Length && status == PipeStatus.Wait; turn++)
            status = pipe.Open();
        Assert.True(status == PipeStatus.Ready, pipe.Failure);
        Assert.Equal("behind", ReadRest(pipe, pieces));
        return [.. Encoding.ASCII.GetString(pieces.Sent).Split("\r\n\r\n").Where(r => r.Length > 0)];
    }

    private static string ReadRest(ProxyPipe pipe, PiecesPipe pieces)
    {
        byte[] room = new byte[64];
        StringBuilder rest = new();
        PipeStatus status = PipeStatus.Ready;
        for (int turn = 0; turn < 100 && (status == PipeStatus.Ready || !pieces.IsEmpty); turn++)
        {
            status = pipe.Receive(room, out int count);
            rest.Append(Encoding.ASCII.GetString(room, 0, count));
        }

        return rest.ToString();
    }

    // Start line, host and login; the product name and the case of Basic differ between clients.
    private static string Essence(string request)
    {
        string[] lines = request.Split("\r\n");
        IEnumerable<string> kept = lines.Skip(1)
            .Where(l => l.Length > 0 && !l.StartsWith("User-Agent", StringComparison.Ordinal))
            .Select(l => l.Replace(" BASIC ", " Basic ", StringComparison.Ordinal))
            .Order(StringComparer.Ordinal);
        return string.Join("\n", kept.Prepend(lines[0]));
    }
}
