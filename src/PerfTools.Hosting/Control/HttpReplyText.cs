using System.Globalization;
using System.Text;

namespace PerfTools.Hosting.Control;

/// <summary>Encodes replies as HTTP/1.1; the connection ends with the reply.</summary>
internal static class HttpReplyText
{
    /// <summary>The interim reply for a client that waits before it sends a body.</summary>
    public static ReadOnlyMemory<byte> Continue { get; } = "HTTP/1.1 100 Continue\r\n\r\n"u8.ToArray();

    /// <param name="reply">The reply.</param>
    /// <param name="withText">False to leave the text itself out, for HEAD.</param>
    public static byte[] Encode(ControlReply reply, bool withText)
    {
        string demand = reply.Status == ControlReply.Unauthorized ? "WWW-Authenticate: Bearer\r\n" : "";
        int bytes = Encoding.UTF8.GetByteCount(reply.Text);
        string head = string.Create(CultureInfo.InvariantCulture,
            $"HTTP/1.1 {reply.Status} {NameOf(reply.Status)}\r\nContent-Type: {reply.ContentType}\r\nContent-Length: {bytes}\r\nCache-Control: "
                + $"no-store\r\n{demand}Connection: close\r\n\r\n");
        return Encoding.UTF8.GetBytes(withText ? head + reply.Text : head);
    }

    private static string NameOf(int status) => status switch
    {
        ControlReply.Ok => "OK",
        ControlReply.BadRequest => "Bad Request",
        ControlReply.Unauthorized => "Unauthorized",
        ControlReply.Forbidden => "Forbidden",
        ControlReply.NotFound => "Not Found",
        ControlReply.WrongMethod => "Method Not Allowed",
        ControlReply.TooLarge => "Content Too Large",
        ControlReply.HeadTooLarge => "Request Header Fields Too Large",
        _ => "Internal Server Error",
    };
}
